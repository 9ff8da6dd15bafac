/* What holds the data of a report: blocks of raw deflate in base 85, between the tags of an element, and
 * JSON that is written into one a piece at a time. */
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

typedef struct html_json {
    html_pack *to;
    bool first; /* the next value is the first of its object or array */
    size_t used;
    char buffer[16 << 10];
} html_json;

/* Begins a block, which is one object. The caller must g_free() it. */
html_json *html_json_new(html_pack *to);

/* Ends the object and its block. The second function returns the block as html_pack_take() does, if no other
 * waits. */
void html_json_end_block(html_json *j);
GByteArray *html_json_take_block(html_json *j);

/* Each opens or closes an object or array. key is NULL inside an array, and is written as it is. */
void html_json_open(html_json *j, const char *key, char bracket);
void html_json_close(html_json *j, char bracket);

/* html_json_int() of any number. */
void html_json_any_int(html_json *j, const char *key, int64_t number);

/* Most numbers of a page are in a column, and have one digit. */
static inline void html_json_int(html_json *j, const char *key, int64_t number)
{
    if (key != NULL || number < 0 || number > 9 || sizeof j->buffer - j->used < 2) {
        html_json_any_int(j, key, number);
        return;
    }
    j->buffer[j->used] = ',';
    j->used += !j->first;
    j->buffer[j->used++] = (char)('0' + number);
    j->first = false;
}

void html_json_real(html_json *j, const char *key, double number);
void html_json_bool(html_json *j, const char *key, bool value);

/* text is valid UTF-8. */
void html_json_text(html_json *j, const char *key, const char *text);

/* Like html_json_text(), of any text, which is made clean. NULL is written as "". */
void html_json_clean(html_json *j, const char *key, const char *text);

/* A column of a table: an array of values, one for each item from 0 to count - 1, that one of these functions
 * writes. */
#define HTML_COLUMN_OF(write, j, key, count, item, value)                                                    \
    do {                                                                                                     \
        html_json_open(j, key, '[');                                                                         \
        for (guint item = 0; item < (count); item++)                                                         \
            write(j, NULL, value);                                                                           \
        html_json_close(j, ']');                                                                             \
    } while (false)
#define HTML_COLUMN(j, key, count, item, number) HTML_COLUMN_OF(html_json_int, j, key, count, item, number)
