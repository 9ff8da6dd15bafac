/* Our other programs, which finish what was recorded. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Runs the program that the first argument names, with standard input from `from`, and standard output to
 * `to` unless that is -1, and waits until it has ended. Returns false after it or this function has said what
 * went wrong; nothing is said if its output was a pipe that nobody read. */
bool record_child_run(const char *const *arguments, int from, int to);

/* Waits until a child has ended. Ctrl-C ends it, by SIGALRM, after a second. Returns whether *status is its
 * status, as waitpid(2) has it. */
bool record_child_wait(pid_t pid, int *status);
