/* Captures what a test prints to standard output or standard error. */
#pragma once

#include <stdio.h>

typedef struct capture {
    int fd, old;
    FILE *kept;
} capture;

/* From here on, captures the bytes that are written to fd. Captures of two descriptors must end in the
 * reverse order. */
capture capture_begin(int fd);

/* Ends the capture. Returns up to 8191 bytes of it; valid until the next call. */
const char *capture_end(capture *c);
