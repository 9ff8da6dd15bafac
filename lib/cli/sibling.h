/* Our other programs. */
#pragma once

#include <stdbool.h>

/* Returns the path of one of our programs, beside this one or else along PATH, or NULL if it is not
 * installed. The caller must g_free() it. */
char *nytp_sibling_find(const char *program);

/* The same, and says so if it is not installed. */
char *nytp_sibling_wanted(const char *program);

/* Runs the program that the first argument names, and waits until it has ended. Returns false after it or
 * this function has said what went wrong. */
bool nytp_sibling_run(const char *const *arguments);

/* Executes it in place of this process. Returns the exit status if that fails, after saying why. */
int nytp_sibling_execute(const char *program, char **arguments);
