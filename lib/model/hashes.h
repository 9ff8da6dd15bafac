/* Hash functions for GHashTables, by base/hash.h. With GLib's own, a file could have keys that all have the
 * same hash: it adds up bytes, and takes numbers as they are. */
#pragma once

#include <glib.h>

guint nytp_hash_of_text(gconstpointer text);     /* char *; with g_str_equal */
guint nytp_hash_of_bytes(gconstpointer bytes);   /* GBytes; with g_bytes_equal */
guint nytp_hash_of_int64(gconstpointer number);  /* gint64 *; with g_int64_equal */
guint nytp_hash_of_number(gconstpointer number); /* GUINT_TO_POINTER(), or an address; with NULL */
