/* Why the system does not let one process read another, in words, with what to do. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* error_number: what reading its memory, or what /proc has of it, gave. */
void sampler_permission_explain(pid_t pid, int error_number, char *to, size_t size);
