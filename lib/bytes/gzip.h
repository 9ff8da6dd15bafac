/* Writing gzip (RFC 1952). */
#pragma once

#include <stdio.h>

/* Returns a stream whose bytes are compressed into out as one gzip member, without a time, so that the same
 * input gives the same bytes. fclose() ends the member, and fails if out has failed. out stays the caller's,
 * and must stay open until then. Returns NULL with errno set when out of memory. */
FILE *nytp_gzip_open(FILE *out);
