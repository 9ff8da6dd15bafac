#include "record/waits.h"

#include "hot.h"

void prof_waits_begin(prof *p)
{
    /* The profiler works, and its time does not count yet: which active time it is now is not known. */
    p->waits = (prof_waits){.looked_ticks = 0};
    p->probe.has_offcpu = p->options.waits && !prof_clock_is_of_processor(&p->probe.clock) &&
                          prof_offcpu_begin(&p->probe.offcpu);
    p->waits.long_ticks = p->probe.has_offcpu ? 0x80 : UINT64_C(1) << 63; /* as prof_is_short() */
    if (p->probe.has_offcpu)
        prof_output_numbers(p->out, "waits", &(const uint64_t){1}, 1);
}

/* How long the program was off its processor. */
typedef struct time_off {
    int64_t asleep_ns, queued_ns;
} time_off;

static int64_t all_of(time_off w)
{
    return w.asleep_ns + w.queued_ns;
}

/* Takes at most ns of *from, asleep and queued in the same proportion. */
static time_off take(time_off *from, int64_t ns)
{
    const int64_t all_ns = all_of(*from);
    time_off part = *from;
    if (ns < all_ns) {
        part.asleep_ns = (int64_t)((double)from->asleep_ns * (double)MAX(ns, 0) / (double)all_ns);
        part.queued_ns = MAX(ns, 0) - part.asleep_ns;
    }
    from->asleep_ns -= part.asleep_ns;
    from->queued_ns -= part.queued_ns;
    return part;
}

/* Without statements, the time outside of calls is in no sum. */
static void write_mark(prof *p, uint32_t depth, time_off w, bool of_process)
{
    if (!p->options.stmts && p->options.calls && depth == 0)
        return;
    const uint64_t numbers[] = {p->options.calls != 0 ? depth : 0, (uint64_t)w.asleep_ns / PROF_TICK_NS,
                                (uint64_t)w.queued_ns / PROF_TICK_NS, 1};
    if (numbers[1] > 0 || numbers[2] > 0)
        prof_output_numbers(p->out, "waited", numbers, of_process ? 4 : 3);
}

/* What has been since the last look or, if that is later, since the statement began. */
static int64_t began_ticks(const prof *p)
{
    const int64_t looked_ticks = p->waits.looked_ticks;
    return p->enabled.stmts ? MAX(looked_ticks, p->statements.start_ticks) : looked_ticks;
}

/* Returns when the call at that depth began, at least began_ticks. */
static int64_t call_began(const prof *p, uint32_t depth, int64_t began_ticks)
{
    return depth > 0 ? MAX(began_ticks, p->frames.at[depth - 1].start_ticks + p->frames.idle_ticks)
                     : began_ticks;
}

/* Writes what was found. The innermost call that has lasted so long has it, and those within it have what is
 * more than its own time. The rest was in statements before, too short for a look. */
static void write_found(prof *p, time_off found, int64_t active_ticks, uint32_t depth)
{
    const int64_t began = began_ticks(p);
    time_off counted = take(&found, (active_ticks - p->waits.looked_ticks) * PROF_TICK_NS);
    uint32_t at = depth;
    while (call_began(p, at, began) > began &&
           all_of(counted) > (active_ticks - call_began(p, at, began)) * PROF_TICK_NS)
        at--;
    for (; at <= depth; at++) {
        const int64_t end = at < depth ? call_began(p, at + 1, began) : active_ticks;
        write_mark(p, at, take(&counted, (end - call_began(p, at, began)) * PROF_TICK_NS), false);
    }
    p->waits.rest_asleep_ns += counted.asleep_ns;
    p->waits.rest_queued_ns += counted.queued_ns;
    p->frames.has_returns = true; /* so that a coroutine writes its calls before another one's follow */
}

static bool is_on(const prof *p)
{
    return p->probe.has_offcpu && p->enabled.any && p->out != NULL;
}

/* What was since the last look. */
static time_off read_found(prof *p)
{
    time_off found;
    return prof_offcpu_read(&p->probe.offcpu, &found.asleep_ns, &found.queued_ns) ? found : (time_off){0};
}

/* The profiler may have been off its processor since active_ticks, too. It has done nothing yet but ask the
 * system, so that is the time of the call that goes on, and is read again when that ends. */
static void keep_own(prof *p, time_off *found, int64_t own_ns)
{
    const time_off after = read_found(p);
    found->asleep_ns += after.asleep_ns;
    found->queued_ns += after.queued_ns;
    const int64_t queued_ns = MIN(found->queued_ns, own_ns),
                  asleep_ns = MIN(found->asleep_ns, own_ns - queued_ns);
    prof_offcpu_keep(&p->probe.offcpu, asleep_ns, queued_ns);
    found->asleep_ns -= asleep_ns;
    found->queued_ns -= queued_ns;
}

static void look(prof *p, int64_t active_ticks, uint32_t depth)
{
    prof_probe_note_unusual(p);
    time_off found = read_found(p);
    const int64_t own_ns = (prof_active_ticks(p, prof_now(p)) - active_ticks) * PROF_TICK_NS;
    if (UNLIKELY(own_ns >= PROF_OFFCPU_LEAST_NS))
        keep_own(p, &found, own_ns);
    if (all_of(found) > 0)
        write_found(p, found, active_ticks, depth);
    p->waits.looked_ticks = active_ticks;
}

void prof_waits_look(prof *p, int64_t active_ticks, uint32_t depth)
{
    const int64_t passed_ticks = active_ticks - began_ticks(p);
    if (UNLIKELY(passed_ticks > 0 && !prof_is_short(passed_ticks)) && is_on(p))
        look(p, active_ticks, depth);
}

void prof_waits_look_again(prof *p, int64_t active_ticks)
{
    if (!is_on(p))
        return;
    look(p, active_ticks, p->frames.count);
    write_mark(p, 0, (time_off){p->waits.rest_asleep_ns, p->waits.rest_queued_ns}, true);
    p->waits.rest_asleep_ns %= PROF_TICK_NS;
    p->waits.rest_queued_ns %= PROF_TICK_NS;
}

void prof_waits_leave_out(prof *p, int64_t active_ticks)
{
    if (p->probe.has_offcpu)
        prof_offcpu_leave_out(&p->probe.offcpu);
    p->waits.looked_ticks = active_ticks;
}
