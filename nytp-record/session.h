/* A recording, from the first to the end of the last of the processes that are sampled, and what the user
 * wants of it. */
#pragma once

#include "converter.h"

#include "push/push.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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

/* Samples the perl in a process, and with options->children those among its descendants. Returns the exit
 * status after saying what went wrong. */
int record_session_attach(const record_options *options, pid_t pid);

/* Samples all perls of the machine, until a signal or options->duration_s ends that. Returns as
 * record_session_attach() does. */
int record_session_everywhere(const record_options *options);

/* Starts a command and samples the perls among what it starts. Returns the command's exit status, or that of
 * a failure of our own. */
int record_session_run(const record_options *options, char **command);
