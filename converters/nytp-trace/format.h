/* What the two formats of a trace have in common. */
#pragma once

#include "calls/frames.h"

/* What a format writes: the processes, then the events in the order of time within each process. Times are ns
 * since the first process began. */
typedef struct trace_format {
    void *(*begin)(FILE *out, nytp_frames *frames);
    void (*process)(void *writer, uint32_t number, uint32_t pid, nytp_str application);
    void (*enter)(void *writer, uint32_t frame, int64_t at_ns);
    void (*leave)(void *writer, uint32_t frame, int64_t at_ns);
    /* The compile phase: a run of outermost BEGIN blocks. */
    void (*begin_phase)(void *writer, int64_t at_ns);
    void (*end_phase)(void *writer, int64_t at_ns);
    void (*end)(void *writer); /* frees writer */
} trace_format;
