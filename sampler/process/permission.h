/* Why the system does not let one process read another, in words, with what to do. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* error_number: what reading its memory, or what /proc has of it, gave. */
void sampler_permission_explain(pid_t pid, int error_number, char *to, size_t size);

/* Like sampler_permission_explain(), of a process whose directory in /proc could not be opened. Returns
 * whether it exists. */
bool sampler_permission_explain_absent(pid_t pid, int error_number, char *to, size_t size);

/* Returns why /proc does not show the processes that have the numbers that this process sees, or NULL. */
const char *sampler_permission_of_proc(void);
