/* How much processor time the system lets a process have. */
#pragma once

/* Returns the least quota of the control groups of a process (cgroups(7), version 1 or 2), in processors: 0.5
 * is half the time of one. HUGE_VAL if there is none, or if it is not known. groups: the process's file of
 * groups, such as /proc/self/cgroup; mounted: where they are mounted, /sys/fs/cgroup. Allocates nothing. */
double nytp_cpu_quota(const char *groups, const char *mounted);
