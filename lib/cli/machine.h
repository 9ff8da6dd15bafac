/* The machine that the program runs on. */
#pragma once

#include <stdint.h>

/* Returns how much memory the program may have: the physical memory or, if that is less, the limit of its
 * control group or of one around it. */
uint64_t nytp_machine_bytes(void);

/* Returns the smallest limit of control groups. groups: the text of /proc/self/cgroup; root: where the groups
 * are mounted, /sys/fs/cgroup. UINT64_MAX: there is no limit. */
uint64_t nytp_cgroup_bytes(const char *groups, const char *root);
