#include "cli/machine.h"

#include "base/cgroups.h"

#include <unistd.h>

uint64_t nytp_machine_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const uint64_t physical =
        pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
    const double limit = nytp_cgroup_bytes("/proc/self/cgroup", "/sys/fs/cgroup");
    return limit < (double)physical ? (uint64_t)limit : physical;
}
