#include "session/marks.h"

#include "base/small_file.h"
#include "hot.h"

#include <fcntl.h>

/* With a clock of processor time the statements have all that passes. */
static bool has_marks(const prof *p)
{
    return !p->options.stmts || !prof_clock_is_of_processor(&p->probe.clock);
}

enum { EVERY_MS = 2 };

static void schedule(prof *p)
{
    p->probe.mark_overhead =
        has_marks(p) ? p->probe.overhead + prof_counts_of_ms(&p->probe.clock, EVERY_MS) : UINT64_MAX;
}

void prof_clock_marks_begin(prof *p)
{
    p->marks = (prof_clock_marks){.began_ticks = prof_active_ticks(p, prof_now(p)),
                                  .began_overhead = p->probe.overhead};
    p->probe.jump = 0;
    schedule(p);
}

void prof_clock_marks_pause(prof *p, uint64_t now)
{
    p->marks.paused_ticks = prof_active_ticks(p, now);
    p->marks.paused = true;
}

void prof_clock_marks_resume(prof *p, uint64_t now)
{
    if (p->marks.paused)
        p->marks.off_ticks += prof_active_ticks(p, now) - p->marks.paused_ticks;
    p->marks.paused = false;
}

/* Returns how many ticks have passed when active time is active_ticks; 0 if the clock went back. The time of
 * a processor that the profiler took is not the program's. Some of what it took before may be given back. */
static int64_t passed_ticks(const prof *p, int64_t active_ticks)
{
    const uint64_t began = p->marks.began_overhead;
    const bool has_taken = !prof_clock_is_of_processor(&p->probe.clock) && p->probe.overhead > began;
    const uint64_t overhead = has_taken ? p->probe.overhead - began : 0;
    const int64_t ticks =
        active_ticks - p->marks.began_ticks + prof_ticks_of_counts(&p->probe.clock, overhead);
    return ticks > 0 ? ticks : 0;
}

int64_t prof_passed_ticks(const prof *p, uint64_t now)
{
    return passed_ticks(p, prof_active_ticks(p, now));
}

/* The stream has the time up to the begin of the statement that runs. Without statements it has that of calls
 * alone, so a mark says what else was counted. */
static void write_clock(prof *p, uint64_t now, uint32_t depth)
{
    const int64_t idle_ticks = prof_ticks_of_counts(&p->probe.clock, p->probe.jump);
    const bool has_statements = p->options.stmts != 0;
    const int64_t active_ticks = has_statements ? p->statements.start_ticks : prof_active_ticks(p, now);
    char text[128];
    int length = my_snprintf(text, sizeof text, "%lld", (long long)passed_ticks(p, active_ticks));
    if (idle_ticks > 0 || p->marks.off_ticks > 0 || !has_statements)
        length += my_snprintf(text + length, sizeof text - (size_t)length, " %lld %lld %u",
                              (long long)idle_ticks, (long long)p->marks.off_ticks, (unsigned)depth);
    /* Less than 0 while the profiler still does what it began before the process's begin. */
    const int64_t counted_ticks = active_ticks - p->marks.began_ticks;
    if (!has_statements)
        length += my_snprintf(text + length, sizeof text - (size_t)length, " %lld",
                              (long long)(counted_ticks > 0 ? counted_ticks : 0));
    prof_output_attribute(p->out, "clock", (nytp_str){text, (size_t)length, false});
}

/* depth: how many of the calls that go on began before the mark. */
static void write_mark(prof *p, uint64_t now, uint32_t depth)
{
    write_clock(p, now, depth);
    p->marks.off_ticks = 0;
    p->probe.jump = 0;
    schedule(p);
}

/* Without statements the clock needs marks all along. */
static bool is_due(const prof *p, uint64_t now)
{
    const prof_probe *probe = &p->probe;
    return probe->jump > 0 || p->marks.off_ticks > 0 || probe->overhead >= probe->mark_overhead ||
           (!p->options.stmts && prof_probe_memory_is_due(probe, now));
}

void prof_clock_marks_write(prof *p, uint64_t now, bool always)
{
    if (has_marks(p) && (always || is_due(p, now)))
        write_mark(p, now, p->frames.count);
}

/* Whether more of the profiler's own time has passed since the last mark than the end of a span may lack. */
static bool has_grown(const prof *p)
{
    static const double most_ms = 0.05;
    return p->probe.overhead + prof_counts_of_ms(&p->probe.clock, EVERY_MS - most_ms) >=
           p->probe.mark_overhead;
}

/* Between two marks the profiler's own time passes evenly. So one stands where a span begins: otherwise what
 * the next one says would have passed before the span, too. The program may be queued while the collector
 * does this, which is its statement's time then: so the span begins after it, and ends before it. */
bool prof_clock_marks_settle(pTHX_ prof *p, bool begins)
{
    uint64_t now;
    if (!p->enabled.stmts || !prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        return false;
    dSAVE_ERRNO;
    prof_statement_write_part(p, prof_active_ticks(p, now));
    if (has_marks(p) && (begins || has_grown(p)))
        write_mark(p, now, p->frames.count - begins);
    prof_probe_note_unusual(p);
    prof_probe_end(p, PROF_PROBE_LABEL, now);
    if (begins) {
        const int64_t active_ticks = prof_active_ticks(p, prof_now(p));
        prof_top_frame(p)->start_ticks = MAX(active_ticks, p->statements.start_ticks) - p->frames.idle_ticks;
    }
    RESTORE_ERRNO;
    return p->places.current.length > 0;
}

static void write_memory(pTHX_ prof *p, uint64_t now)
{
    const int64_t ticks = prof_passed_ticks(p, now);
    const uint64_t rss_bytes = nytp_statm_rss_bytes(AT_FDCWD, "/proc/self/statm");
    char text[96];
    if (rss_bytes == 0)
        return;
    const int length = my_snprintf(text, sizeof text, "%lld %llu %lld", (long long)ticks,
                                   (unsigned long long)rss_bytes, (long long)PL_sv_count);
    prof_output_attribute(p->out, "memory_at", (nytp_str){text, (size_t)length, false});
}

void prof_memory_marks_write(pTHX_ prof *p, uint64_t now, bool always)
{
    if (!prof_probe_memory_is_due(&p->probe, now) && !always)
        return;
    write_memory(aTHX_ p, now);
    prof_probe_schedule_memory(&p->probe, now);
}
