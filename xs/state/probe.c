#include "state/probe.h"

#include "hot.h"

void prof_probe_init(prof_probe *probe, bool (*checkpoint)(pTHX_ prof *p, uint64_t now))
{
    probe->checkpoint = checkpoint;
    probe->checkpoint_at = probe->save_at = probe->memory_at = probe->records_at = probe->mark_overhead =
        UINT64_MAX;
}

void prof_probe_wait(prof_probe *probe)
{
    const uint64_t mark_at = probe->memory_at < probe->save_at ? probe->memory_at : probe->save_at;
    probe->checkpoint_at = mark_at < probe->records_at ? mark_at : probe->records_at;
}

void prof_probe_schedule_records(prof_probe *probe, uint64_t at)
{
    probe->records_at = at;
    if (at < probe->checkpoint_at)
        probe->checkpoint_at = at;
}

void prof_probe_forget_records(prof_probe *probe)
{
    probe->records_at = UINT64_MAX;
}

void prof_probe_schedule(prof_probe *probe, uint64_t now)
{
    enum { EVERY_MS = 400 }; /* a killed process loses no more than this and the output's 0.3 s */
    probe->save_at = now + prof_counts_of_ms(&probe->clock, EVERY_MS);
    prof_probe_wait(probe);
}

static uint64_t memory_counts(const prof_probe *probe)
{
    enum { EVERY_MS = 50 };
    return prof_counts_of_ms(&probe->clock, EVERY_MS);
}

void prof_probe_schedule_memory(prof_probe *probe, uint64_t now)
{
    probe->memory_at = now + memory_counts(probe);
}

bool prof_probe_memory_is_due(const prof_probe *probe, uint64_t now)
{
    const bool went_back = now < probe->memory_at && probe->memory_at - now > memory_counts(probe);
    return now >= probe->memory_at || went_back;
}

void prof_probe_expect_mark(prof_probe *probe, uint64_t now)
{
    enum { WITHIN_MS = 2 };
    const uint64_t at = now + prof_counts_of_ms(&probe->clock, WITHIN_MS);
    if (at < probe->memory_at)
        probe->memory_at = at;
    prof_probe_wait(probe);
}

void prof_probe_hurry(prof_probe *probe)
{
    probe->checkpoint_at = probe->save_at = 0;
}

/* Whether that is long enough for a mark to say where it passed. */
static bool is_jump(const prof_probe *probe, uint64_t counts)
{
    return counts >= prof_counts_of_ms(&probe->clock, 0.5);
}

void prof_probe_add_idle(prof_probe *probe, uint64_t counts)
{
    probe->overhead += counts;
    probe->idle += counts;
    if (!is_jump(probe, counts))
        return;
    probe->jump += counts;
    probe->checkpoint_at = 0;
}

/* A mark is due. The profiler has worked for long, or another process took its processor meanwhile. */
static void note_overhead(prof_probe *probe, uint64_t counts)
{
    probe->checkpoint_at = 0;
    if (is_jump(probe, counts))
        probe->jump += counts;
}

/* Whether an interval was interrupted, if others take `usual`. */
static bool is_interrupted(const prof_probe *probe, uint64_t counts, uint64_t usual)
{
    return counts > 8 * usual && counts > prof_counts_of_ms(&probe->clock, 0.002);
}

/* Takes an interval that was timed into the mean of its kind. Only a mean tells: under some hypervisors the
 * counter moves in steps of 10 ns, so that most intervals take none or one. */
static void add_to_mean(prof_probe *probe, prof_probe_kind kind, uint64_t counts)
{
    enum { MOST = 64, HALF = 1 << 7, ONE = 1 << 8 };
    prof_probe_mean *mean = &probe->means[kind];
    if (++mean->in_row <= PROF_ROW_FIRST)
        return;
    if (mean->n > 0 && is_interrupted(probe, counts, (uint64_t)mean->counts_256 / ONE))
        return;
    if (is_interrupted(probe, (uint64_t)mean->counts_256 / ONE, counts))
        mean->n = 0;
    if (mean->n < MOST)
        mean->n++;
    mean->counts_256 += ((int64_t)counts * ONE - mean->counts_256) / mean->n;
    probe->usual_counts[kind] = (uint32_t)((mean->counts_256 + HALF) / ONE);
}

static uint64_t counts_of_ns(const prof_probe *probe, int64_t ns)
{
    return prof_counts_of_ms(&probe->clock, (double)ns / 1e6);
}

/* Returns what an interval takes of the profiler's own time: not what it was queued, which is the program's
 * as in intervals that are not timed, nor what it was asleep while it asked the system for the thread's
 * times. The system looks then whether a thread has had its share, and whether it is to stop; so that is
 * often for what the program did. */
static uint64_t own_counts(prof_probe *probe, uint64_t counts)
{
    if (!probe->has_offcpu || counts < counts_of_ns(probe, PROF_OFFCPU_LEAST_NS))
        return counts;
    const int64_t interval_ns = prof_ticks_of_counts(&probe->clock, counts) * PROF_TICK_NS;
    const int64_t not_own_ns = prof_offcpu_leave_out_asleep(&probe->offcpu, interval_ns);
    const uint64_t not_own = counts_of_ns(probe, not_own_ns);
    return counts > not_own ? counts - not_own : 0;
}

/* What is more than half a millisecond was no wrong estimate: the clock was set back. */
void prof_probe_give_back(prof_probe *probe, int64_t ticks)
{
    const uint64_t counts = counts_of_ns(probe, ticks * PROF_TICK_NS);
    if (!is_jump(probe, counts) && counts <= probe->overhead - probe->idle)
        probe->overhead -= counts;
}

/* Returns how many intervals of the kind need not be timed now. */
static int32_t untimed_after(prof_probe *probe, prof_probe_kind kind)
{
    prof_probe_mean *mean = &probe->means[kind];
    if (probe->postponed[kind] > 0)
        return probe->postponed[kind];
    if (mean->n < PROF_LEAST || mean->in_row < PROF_ROW)
        return 0;
    mean->in_row = 0;
    return PROF_ROW * PROF_SAMPLE;
}

/* Reads the clock once more than an interval that is not timed. That reading is part of the overhead, but for
 * PROF_PROBE_SHARED, which has no reading at its start, it must be subtracted. */
void prof_probe_end_timed(prof_probe *probe, prof_probe_kind kind, uint64_t began)
{
    uint64_t counts = prof_clock_now(&probe->clock) - began;
    if (kind == PROF_PROBE_SHARED)
        counts = counts > probe->clock.read_counts ? counts - probe->clock.read_counts : 0;
    counts = own_counts(probe, counts);
    probe->overhead += counts;
    if (probe->overhead >= probe->mark_overhead)
        note_overhead(probe, counts);
    if (probe->postponed[kind] == 0 && !probe->unusual)
        add_to_mean(probe, kind, counts);
    probe->untimed_left[kind] = untimed_after(probe, kind);
    probe->postponed[kind] = 0;
    probe->unusual = false;
}

void prof_enabled_set(prof *p, bool on)
{
    p->enabled.any = on;
    p->enabled.stmts = on && p->options.stmts && !p->options.use_db_sub;
    p->enabled.subs = on && p->options.subs;
    p->enabled.builtins = p->enabled.subs && p->options.slowops > 0;
    const PerlInterpreter *perl = atomic_load(&p->perl);
    p->enabled.fast_stmts = p->enabled.stmts && !p->options.blocks ? perl : NULL;
    p->enabled.fast_subs = p->enabled.subs && p->options.calls == 1 && !p->options.findcaller ? perl : NULL;
    p->enabled.fast_begins = p->enabled.fast_subs != NULL && p->enabled.stmts;
    p->enabled.fast_leaves = p->options.leave ? p->enabled.fast_stmts : NULL;
    prof_probe_note_unusual(p);
    prof_probe_hurry(&p->probe);
}
