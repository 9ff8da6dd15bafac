/* nytp: the verbs, and what it does itself. */
#pragma once

#include <stdbool.h>

typedef struct verb {
    const char *wish; /* what its user wants to know: the heading of this verb and those that follow it */
    const char *name;
    const char *program; /* that is executed; NULL: nytp itself */
    const char *option;  /* that it is given first; NULL: none */
    const char *about;
} verb;

/* Returns the verb of that name, or NULL. */
const verb *verb_find(const char *name);

/* Returns ": tree?" for a name that is nearly one, else "". */
const char *verb_closest_hint(const char *name);

/* Print to standard output, and return the exit status: all verbs, for people, and for completions. */
int verb_print_list(void);
int verb_print_names(void);

/* Executes man(1) with the page of one of our programs, or of filters, or without man the program with
 * --help. Returns the exit status if neither can be executed. */
int verb_show_manual(const char *program, bool of_filters);

/* nytp run: a script under the profiler, its children too, and the report. Takes the arguments from "run" on.
 * Returns the exit status. */
int verb_run(int argc, char **argv);
