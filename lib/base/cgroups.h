/* What control groups (cgroups(7), version 1 or 2) let a process have. Allocates nothing.
 *
 * groups: the process's file of groups, such as /proc/self/cgroup; mounted: where they are mounted, such as
 * /sys/fs/cgroup. The limits of the groups around the process's group count, too: the least is returned, or
 * HUGE_VAL if there is no limit, or if it is not known. */
#pragma once

double nytp_cgroup_processors(const char *groups, const char *mounted); /* 0.5: half the time of one */
double nytp_cgroup_bytes(const char *groups, const char *mounted);      /* of memory */
