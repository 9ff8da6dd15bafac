/* How much memory and processor time a process may have: what control groups (cgroups(7), version 1 or 2)
 * let it have, and what NYTP_MEMORY_MIB says. */
#pragma once

#include "nytprof.h"

#include <sys/types.h>

/* The environment variable NYTP_MEMORY_MIB: how much memory a program, or one of perl's modules, may use for
 * a profile. */

/* Stores the limit in *bytes, or 0 if the variable is not set. Returns false, with a message in err, if its
 * value is not a number in the range. */
bool nytp_memory_from_env(uint64_t *bytes, nytp_error *err);

/* What control groups (cgroups(7), version 1 or 2) let a process have. Allocates nothing.
 *
 * groups: the process's file of groups, such as /proc/self/cgroup; mounted: where they are mounted, such as
 * /sys/fs/cgroup. The limits of the groups around the process's group count, too: the least is returned, or
 * HUGE_VAL if there is no limit, or if it is not known. */

double nytp_cgroup_processors(const char *groups, const char *mounted); /* 0.5: half the time of one */
double nytp_cgroup_bytes(const char *groups, const char *mounted);      /* of memory */

/* Returns how many processors a process may use at once: those on which it may run, or what its control
 * groups let it have if that is less; 0 if it is not known. */
double nytp_processors_of(pid_t pid);
