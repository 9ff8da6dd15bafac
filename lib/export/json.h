/* Strings and numbers of JSON (RFC 8259). */
#pragma once

#include "nytprof.h"

/* Writes the string with its quotes. s must be valid UTF-8. What is shown as an escape (base/shown.h) becomes
 * one here, too, since JSON is also read on terminals. Errors stick to out. */
void nytp_json_string(FILE *out, nytp_str s);

/* Writes value / 10^decimals, with that many decimals (at most 9), all of which are exact. For events by
 * the million: fprintf() would take most of their time. Errors stick to out. */
void nytp_json_decimal(FILE *out, uint64_t value, unsigned decimals);
