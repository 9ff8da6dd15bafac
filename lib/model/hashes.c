#include "model/hashes.h"

#include "base/hash.h"

#include <string.h>

guint nytp_hash_of_text(gconstpointer text)
{
    return (guint)nytp_hash_bytes(text, strlen(text));
}

guint nytp_hash_of_bytes(gconstpointer bytes)
{
    gsize length;
    const char *data = g_bytes_get_data((GBytes *)bytes, &length);
    return (guint)nytp_hash_bytes(data, length);
}

guint nytp_hash_of_int64(gconstpointer number)
{
    return (guint)nytp_hash_mix(0, *(const guint64 *)number, 0);
}

guint nytp_hash_of_number(gconstpointer number)
{
    return (guint)nytp_hash_mix(0, (uintptr_t)number, 0);
}
