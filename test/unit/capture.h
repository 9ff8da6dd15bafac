/* What a test prints to standard output or standard error. */
#ifndef TEST_CAPTURE_H
#define TEST_CAPTURE_H

#include <stdio.h>

typedef struct capture {
    int fd, old;
    FILE *kept;
} capture;

/* From here on what goes to fd is kept. Captures of two descriptors end in the reverse order. */
capture capture_begin(int fd);

/* Returns what was kept, up to 8191 bytes; valid until the next call. */
const char *capture_end(capture *c);

#endif
