/* What a process belongs to: a unit of systemd, or a container. */
#pragma once

#include <stddef.h>

/* Returns in at most size - 1 bytes what a text as that of /proc/PID/cgroup says: "app.service", "container
 * 0123456789ab", or
 * "". */
void sampler_unit_of(const char *cgroup, char *to, size_t size);

/* sampler_unit_of() of a process whose directory in /proc is open. */
void sampler_unit_read(int proc, char *to, size_t size);
