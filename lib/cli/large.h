/* A warning of output that grows large. */
#ifndef NYTP_CLI_LARGE_H
#define NYTP_CLI_LARGE_H

#include <stdint.h>
#include <stdio.h>

/* Returns a stream that writes into `to`, which stays the caller's, and says once that the output is large
 * when more than most_mb million bytes were written. advice: what makes it smaller, such as "--min=1"; it
 * must stay valid. Returns NULL with errno set. Close the stream before `to`. */
FILE *nytp_large_open(FILE *to, uint32_t most_mb, const char *advice);

#endif
