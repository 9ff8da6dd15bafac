/* Calls in speedscope's file format (https://www.speedscope.app/file-format-schema.json). */
#pragma once

#include "cli/unit.h"
#include "calls/process_calls.h"

typedef struct speedscope_options {
    bool timeline;      /* the course of calls, not the tree of stacks */
    double min_percent; /* calls with less of the time fold into their callers */
    uint32_t max_depth; /* deeper calls fold into their callers */
    enum nytp_unit_word unit;
} speedscope_options;

/* calls are a course with timeline, else trees of frames. Writes one file with a profile of time for each
 * process. Where stacks are written, it also has one of calls, and one of waiting if the process waited.
 * Write errors stick to out. *cut: how many levels of stacks, or with timeline how many calls, were deeper
 * than max_depth. Returns 0, or the errno of what went wrong with the unnamed file of a timeline. */
int speedscope_write(nytp_process_calls *calls, const speedscope_options *options, FILE *out, uint64_t *cut);
