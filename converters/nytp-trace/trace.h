/* The course of calls as a trace: for ui.perfetto.dev and what reads Chrome's trace events. */
#pragma once

#include "calls/process_course.h"

typedef struct trace_options {
    bool json;          /* Chrome's trace events; else Perfetto's protobuf */
    int64_t min_ns;     /* shorter calls are left out; their time stays with their callers */
    uint32_t max_depth; /* so are deeper calls */
} trace_options;

/* Writes the trace. Write errors stick to out. *cut: how many calls were deeper than max_depth. Returns 0, or
 * the errno of what went wrong with the unnamed file (see calls/callorder.h). */
int trace_write(nytp_process_calls *calls, const trace_options *options, FILE *out, uint64_t *cut);
