/* The option -p: processes to look at. */
#pragma once

#include "cli/options.h"

#include <stdbool.h>
#include <sys/types.h>

enum { NYTP_MOST_PIDS = 4096 };

typedef struct nytp_pid_list {
    pid_t list[NYTP_MOST_PIDS];
    int count;
} nytp_pid_list;

/* For the call of the option's row, whose context is a nytp_pid_list: adds one. */
char *nytp_pid_list_add(const nytp_option *option, const char *argument);

/* Whether a word that is not an option is the number of a process, for which -p was perhaps forgotten. */
bool nytp_pid_is_meant(const char *word);
