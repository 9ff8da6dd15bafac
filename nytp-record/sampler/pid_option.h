/* The option -p: processes to look at. */
#ifndef RECORD_PID_OPTION_H
#define RECORD_PID_OPTION_H

#include "cli/options.h"

#include <sys/types.h>

enum { RECORD_MOST_PIDS = 4096 };

typedef struct record_pids {
    pid_t list[RECORD_MOST_PIDS];
    int count;
} record_pids;

/* For the call of the option's row, whose context is a record_pids: adds one. */
char *record_pids_add(const nytp_option *option, const char *argument);

#endif
