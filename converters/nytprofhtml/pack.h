/* A block of a report: raw deflate in base 85, between the tags of an element that holds data. */
#ifndef HTML_PACK_H
#define HTML_PACK_H

#include "nytprof.h"

#include <glib.h>

typedef struct html_pack html_pack;

/* Deflates into memory. */
html_pack *html_pack_new(void);
void html_pack_add(html_pack *pack, const void *data, size_t size);

/* Ends the deflated data and writes the element. Frees pack. Returns how many bytes html_pack_bytes() says.
 */
size_t html_pack_write(html_pack *pack, const char *id, FILE *out);

/* Ends the deflated data and returns it, for html_pack_write_bytes(). Frees pack. */
GByteArray *html_pack_finish(html_pack *pack);
void html_pack_write_bytes(const GByteArray *deflated, const char *id, FILE *out);

/* Returns how many bytes of a report deflated data are, without its element. */
size_t html_pack_bytes(const GByteArray *deflated);

#endif
