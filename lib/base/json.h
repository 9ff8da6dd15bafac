/* Strings of JSON (RFC 8259). */
#ifndef NYTP_BASE_JSON_H
#define NYTP_BASE_JSON_H

#include "nytprof.h"

/* Writes the string with its quotes. s must be valid UTF-8; control characters, a NUL too, become escapes.
 * Errors stick to out. */
void nytp_json_string(FILE *out, nytp_str s);

#endif
