/* The input and output of one step of a compression library. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Input that is left, and space that is left for output. A step, of inflating or deflating, advances the
 * pointers and lowers the sizes. It may leave input and space when there is more than 1 GiB of either. */
typedef struct nytp_window {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
} nytp_window;

/* Returns how many of size bytes a step gives the library, which counts in 32 bits. */
enum { NYTP_STEP_BYTES_MAX = 1 << 30 };
static inline uint32_t nytp_step_bytes(size_t size)
{
    return size < NYTP_STEP_BYTES_MAX ? (uint32_t)size : NYTP_STEP_BYTES_MAX;
}

/* Advances the window to where the library has stopped. */
static inline void nytp_window_advance(nytp_window *w, const unsigned char *in, unsigned char *out)
{
    w->in_size -= (size_t)(in - w->in);
    w->out_size -= (size_t)(out - w->out);
    w->in = in;
    w->out = out;
}
