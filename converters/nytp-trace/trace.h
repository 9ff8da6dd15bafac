/* The course of calls as a trace: for ui.perfetto.dev and what reads Chrome's trace events. */
#pragma once

#include "calls/frames.h"
#include "calls/process_calls.h"
#include "model/whole.h"

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

typedef struct trace_options {
    bool json;          /* Chrome's trace events; else Perfetto's protobuf */
    nytp_least min;     /* shorter calls are left out; their time stays with their callers */
    uint32_t max_depth; /* so are deeper calls */
} trace_options;

/* Writes the trace. Write errors stick to out. *cut: how many calls were deeper than max_depth. Returns 0, or
 * the errno of what went wrong with the unnamed file (see calls/course.h). */
int trace_write(nytp_process_calls *calls, const trace_options *options, FILE *out, uint64_t *cut);
