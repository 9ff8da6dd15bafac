/* What the user wants of a recording. */
#pragma once

#include "converter.h"
#include "push/push.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct record_options {
    enum record_format format;
    const char *output;  /* of the first process; others have their pid after it */
    const char *offsets; /* a table of a perl's layout, or a directory of them */
    double rate_hz;
    double duration_s; /* 0: until the processes end */
    size_t max_depth;
    bool cpu;          /* only samples of a running process count */
    bool children;     /* descendants that are perls are sampled, too */
    bool join;         /* the profiles of all processes become one file */
    bool threads;      /* each interpreter is sampled, not the first one alone */
    bool every_perl;   /* all perls of the machine */
    bool stop;         /* the process is stopped while it is read */
    bool no_source;    /* the profile gets no source */
    record_push *push; /* profiles go there, and not to output; NULL without --push */
} record_options;
