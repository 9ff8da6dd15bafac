#include "sampler/process/process.h"

#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the kernel has it; C libraries do not declare it, or only recently. */
typedef struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
} attributes;

enum { RESET_ON_FORK = 1, OTHER = 0 /* SCHED_OTHER */, LEAST_PRIORITY = 1 };
#define SLICE_NS UINT64_C(100000) /* the least that the kernel takes */

static attributes before;
static bool is_begun, is_realtime;
static int64_t checked_ns, used_ns;

static bool set(uint32_t policy, uint32_t priority, uint64_t slice_ns)
{
    const attributes wanted = {.size = sizeof wanted,
                               .policy = policy,
                               .flags = RESET_ON_FORK,
                               .nice = before.nice,
                               .priority = priority,
                               .runtime_ns = slice_ns};
    return syscall(SYS_sched_setattr, 0, &wanted, 0) == 0;
}

static void note_use(void)
{
    checked_ns = sampler_now_ns();
    used_ns = nytp_time_ns(CLOCK_THREAD_CPUTIME_ID);
}

void sampler_priority_begin(void)
{
    is_begun = syscall(SYS_sched_getattr, 0, &before, sizeof before, 0) == 0 && before.policy == OTHER;
    is_realtime = is_begun && set(SCHED_FIFO, LEAST_PRIORITY, 0);
    if (is_begun && !is_realtime)
        set(OTHER, 0, SLICE_NS);
    note_use();
}

void sampler_priority_check(void)
{
    enum { AT_ONCE_NS = 10 * 1000 * 1000, MOST_PERCENT = 20 };
    if (!is_realtime)
        return;
    const int64_t passed_ns = sampler_now_ns() - checked_ns;
    const int64_t more_ns = nytp_time_ns(CLOCK_THREAD_CPUTIME_ID) - used_ns;
    if (more_ns > AT_ONCE_NS + passed_ns / 100 * MOST_PERCENT)
        is_realtime = !set(OTHER, 0, SLICE_NS);
    else if (passed_ns >= SAMPLER_SECOND_NS)
        note_use();
}

void sampler_priority_end(void)
{
    if (is_begun)
        set(OTHER, 0, before.runtime_ns);
    is_begun = is_realtime = false;
}
