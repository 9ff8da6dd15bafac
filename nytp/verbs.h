/* The verbs of nytp, and the program of each. */
#pragma once

typedef struct verb {
    const char *wish; /* what its user wants to know: the heading of this verb and those that follow it */
    const char *name;
    const char *program; /* that is executed; NULL: nytp itself */
    const char *about;
} verb;

/* Returns the verb of that name, or NULL. */
const verb *verb_find(const char *name);

/* Print to standard output, and return the exit status: all verbs, for people, and for completions. */
int verb_print_list(void);
int verb_print_names(void);
