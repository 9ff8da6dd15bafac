/* A recording: the processes that are sampled, from the first to the end of the last. */
#pragma once

#include "options.h"

#include <sys/types.h>

/* Samples the perl in a process, and with options->children those among its descendants. Returns the exit
 * status after saying what went wrong. */
int record_session_attach(const record_options *options, pid_t pid);

/* Samples all perls of the machine, until a signal or options->duration_s ends that. Returns as
 * record_session_attach() does. */
int record_session_everywhere(const record_options *options);

/* Starts a command and samples the perls among what it starts. Returns the command's exit status, or that of
 * a failure of our own. */
int record_session_run(const record_options *options, char **command);
