/* Our other programs, which finish what was recorded. */
#pragma once

#include <stdbool.h>

/* Runs the program that the first argument names, with standard input from `from`, and standard output to
 * `to` unless that is -1, and waits until it has ended. Returns false after it or this function has said what
 * went wrong; nothing is said if its output was a pipe that nobody read. */
bool record_child_run(const char *const *arguments, int from, int to);
