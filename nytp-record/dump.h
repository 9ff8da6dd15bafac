/* The stacks of processes as they are now, as text or JSON. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct record_dump_options {
    bool arguments; /* what @_ of each call holds now */
    bool json;
    bool stop;
    bool children; /* perls among the descendants are printed, too */
    bool threads;  /* all interpreters are */
    const char *offsets;
    size_t max_depth;
} record_dump_options;

/* Prints the stacks to standard output. Returns the exit status after saying what went wrong. */
int record_dump(const record_dump_options *options, const pid_t *pids, int count);
