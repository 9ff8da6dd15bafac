/* The input and output of one step of a compression library. */
#ifndef NYTP_BYTES_WINDOW_H
#define NYTP_BYTES_WINDOW_H

#include <stddef.h>

/* Input that is left, and space that is left for output. A step, of inflating or deflating, advances the
 * pointers and lowers the sizes. */
typedef struct nytp_window {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
} nytp_window;

#endif
