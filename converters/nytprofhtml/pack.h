/* A block of a report: raw deflate in base 85, between the tags of an element that holds data. */
#pragma once

#include "nytprof.h"

#include <glib.h>

typedef struct html_pack html_pack;

/* Deflates blocks, one after the other, into memory, on several processors. */
html_pack *html_pack_new(void);
void html_pack_free(html_pack *pack);
void html_pack_add(html_pack *pack, const void *data, size_t size);
void html_pack_end(html_pack *pack); /* of a block */

/* Waits for the next block in their order, and returns its deflated data, or NULL if no block is left. The
 * caller must g_byte_array_unref() it. */
GByteArray *html_pack_take(html_pack *pack);

/* Writes the element of a block. html_pack_write() takes the next one, and returns html_pack_bytes() of it.
 */
size_t html_pack_write(html_pack *pack, const char *id, FILE *out);
void html_pack_write_bytes(const GByteArray *deflated, const char *id, FILE *out);

/* Writes the element of a block if it takes at most *most_bytes, which become fewer. Returns whether it did.
 */
bool html_pack_write_if_fits(const GByteArray *deflated, const char *id, size_t *most_bytes, FILE *out);

/* Returns how many bytes of a report deflated data are, without its element. */
size_t html_pack_bytes(const GByteArray *deflated);
