/* Runs our other programs. */
#pragma once

#include <stdbool.h>

/* Runs the program that the first argument names, and waits until it has ended. Returns false after it or
 * this function has said what went wrong. */
bool verb_sibling_run(const char *const *arguments);

/* Executes it in place of this process. Returns the exit status if that fails, after saying why. */
int verb_sibling_execute(const char *program, char **arguments);
