/* Watches processes or a profile, and shows what is hot until the user has seen enough. */
#pragma once

#include "live.h"
#include "view.h"

#include <sys/types.h>

typedef struct top_options {
    const pid_t *pids;
    int pid_count;
    const char *file;      /* a profile, where there are no pids */
    top_live_options live; /* of pids */
    double delay_s;
    uint32_t batch; /* print so many times to standard output, and end; 0: use the terminal */
    uint32_t rows;  /* of each print */
    top_view view;  /* what is shown first */
} top_options;

/* Returns the exit status after saying what went wrong. */
int top_watch(const top_options *options);
