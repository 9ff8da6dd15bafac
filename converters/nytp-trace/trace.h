/* The course of calls as a trace: for ui.perfetto.dev and what reads Chrome's trace events. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "calls/process_calls.h"

typedef struct trace_options {
    bool json;          /* Chrome's trace events; else Perfetto's protobuf */
    int64_t min_ns;     /* shorter calls are left out; their time stays with their callers */
    uint32_t max_depth; /* so are deeper calls */
} trace_options;

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

extern const trace_format trace_json, trace_perfetto;

/* Writes the trace. Write errors stick to out. *cut: how many calls were deeper than max_depth. Returns 0, or
 * the errno of what went wrong with the unnamed file (see calls/callorder.h). */
int trace_write(nytp_process_calls *calls, nytp_frames *frames, const trace_options *options, FILE *out,
                uint64_t *cut);

#endif
