/* Commands without their arguments. Knows nothing of perl. */
#pragma once

#include <stddef.h>

enum { PROF_COMMAND_MAX = 160 };

/* Writes the name of the program to `to`, which has PROF_COMMAND_MAX bytes, and the next word if that looks
 * like the name of a subcommand or a file, as in "git status": options may have passwords, so nothing follows
 * them. Assignments before the program are left out. command: as for a shell; next: the next word, if it is
 * known apart, or NULL. Returns the length. */
size_t prof_command_normalise(const char *command, size_t length, const char *next, size_t next_length,
                              char *to);
