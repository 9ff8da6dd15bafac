#include "sampler/sample/meter.h"

#include "sampler/process/process.h"

static bool open_thread(sampler_meter *m, pid_t pid, pid_t tid)
{
    m->activity = sampler_activity_new(pid, tid);
    if (m->activity == NULL)
        return false;
    sampler_activity_begin(m->activity);
    return true;
}

static void skip(sampler_meter *m)
{
    sampler_account_skip(&m->account, sampler_now_ns(), sampler_activity_times(m->activity));
}

bool sampler_meter_begin(sampler_meter *m, pid_t pid, pid_t tid, double rate_hz, bool cpu)
{
    *m = (sampler_meter){.tid = tid, .run_ns = -1};
    if (!open_thread(m, pid, tid))
        return false;
    sampler_account_begin(&m->account, rate_hz, cpu, sampler_activity_source(m->activity));
    skip(m);
    return true;
}

void sampler_meter_clear(sampler_meter *m)
{
    sampler_activity_free(m->activity);
    m->activity = NULL;
}

/* If another thread than the first one has executed the program, it has got the number of the first. */
void sampler_meter_skip(sampler_meter *m, pid_t pid, pid_t tid)
{
    sampler_meter again = {0};
    if (open_thread(&again, pid, tid)) {
        sampler_activity_free(m->activity);
        m->activity = again.activity;
        m->tid = tid;
    }
    m->run_ns = -1;
    skip(m);
}

/* The kernel counts what a thread runs when it goes to sleep, so a sum that has not changed is exact. */
static void note_sleep(sampler_meter *m)
{
    const int64_t run_ns = sampler_activity_times(m->activity).run_ns;
    const bool has_not_run =
        sampler_activity_source(m->activity) != SAMPLER_SOURCE_CLOCK && run_ns == m->run_ns;
    const bool is_ready = sampler_activity_is_ready(m->activity);
    m->has_slept = has_not_run && !is_ready;
    m->is_woken = has_not_run && is_ready && m->is_off;
    m->is_off = !is_ready || m->is_woken;
    m->run_ns = run_ns;
}

enum sampler_wanted sampler_meter_before(sampler_meter *m)
{
    if (!sampler_activity_begin(m->activity))
        return SAMPLER_NO_THREAD;
    m->now_ns = sampler_now_ns();
    note_sleep(m);
    if (!m->account.cpu || sampler_activity_is_ready(m->activity))
        return SAMPLER_WANTED;
    sampler_account_pass(&m->account, m->now_ns, sampler_activity_times(m->activity), m->has_slept);
    return SAMPLER_UNWANTED;
}

double sampler_meter_after(sampler_meter *m, const sampler_stack *stack, double share_s[SAMPLER_STATES])
{
    enum sampler_doing doing = sampler_activity_end(m->activity);
    /* If perl went on while its stack was read, it runs. If the kernel has counted no running since it slept,
     * it has just been woken up. */
    if (doing == SAMPLER_IS_READY)
        doing = stack->moved ? SAMPLER_RUNS : m->is_woken ? SAMPLER_WAITS : SAMPLER_IS_READY;
    sampler_account_pass(&m->account, m->now_ns, sampler_activity_times(m->activity), m->has_slept);
    const double time_s = sampler_account_take(&m->account, doing, share_s);
    return m->account.cpu && (doing == SAMPLER_WAITS || doing == SAMPLER_SLEEPS) ? -1 : time_s;
}

void sampler_meter_end(sampler_meter *m)
{
    m->now_ns =
        sampler_activity_begin(m->activity) ? sampler_now_ns() : sampler_activity_ended_ns(m->activity);
    if (m->now_ns <= m->account.last_ns) /* its end is not known */
        return;
    note_sleep(m);
    sampler_account_end(&m->account, m->now_ns, sampler_activity_times(m->activity), m->has_slept,
                        sampler_activity_is_ready(m->activity));
}
