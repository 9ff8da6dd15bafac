/* The formats of a trace. */
#pragma once

#include "calls/frames.h"

/* What a format writes: the processes, and after each its memory and its requests, then its calls and phases,
 * both in the order of time. Times are ns since the first process began. */
typedef struct trace_format {
    void *(*begin)(FILE *out, nytp_frames *frames);
    void (*process)(void *writer, uint32_t number, uint32_t pid, nytp_str application);
    void (*memory)(void *writer, int64_t at_ns, int64_t rss_bytes, int64_t values); /* 0 values: not known */
    /* number: of the request, from 0 */
    void (*request)(void *writer, uint64_t number, nytp_str name, int64_t begin_ns, int64_t end_ns);
    void (*call)(void *writer, bool begins, uint32_t frame, int64_t at_ns); /* begins, or ends */
    void (*phase)(void *writer, bool begins, int64_t at_ns); /* compiling: a run of outermost BEGIN blocks */
    void (*end)(void *writer);                               /* frees writer */
} trace_format;

extern const trace_format trace_json;     /* Chrome's trace events, one on each line */
extern const trace_format trace_perfetto; /* Perfetto's */
