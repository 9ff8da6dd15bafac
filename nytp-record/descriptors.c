#include "descriptors.h"

#include <stdbool.h>
#include <sys/resource.h>

static struct rlimit before;
static bool is_raised;

void record_descriptors_raise(void)
{
    if (getrlimit(RLIMIT_NOFILE, &before) != 0)
        return;
    struct rlimit all = {.rlim_cur = before.rlim_max, .rlim_max = before.rlim_max};
    is_raised = setrlimit(RLIMIT_NOFILE, &all) == 0;
}

void record_descriptors_restore(void)
{
    if (is_raised)
        setrlimit(RLIMIT_NOFILE, &before);
}
