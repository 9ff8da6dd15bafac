#include "session/clockmarks.h"

#include "hot.h"

/* With a clock of processor time, times are those of the processor. Without statements the stream has no
 * clock. */
static bool has_marks(const prof *p)
{
    const clockid_t id = p->probe.clock.id;
    return p->options.stmts && id != CLOCK_PROCESS_CPUTIME_ID && id != CLOCK_THREAD_CPUTIME_ID;
}

static void schedule(prof *p)
{
    enum { EVERY_MS = 2 };
    p->probe.mark_overhead =
        has_marks(p) ? p->probe.overhead + prof_counts_of_ms(&p->probe.clock, EVERY_MS) : UINT64_MAX;
}

void prof_clock_marks_begin(prof *p)
{
    p->marks = (prof_clock_marks){.began_ticks = prof_active_ticks(p, prof_now(&p->probe.clock)),
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

/* The stream has the time up to the begin of the statement that runs. */
static void write_mark(prof *p)
{
    const prof_clock *clock = &p->probe.clock;
    const int64_t passed_ticks = p->statements.start_ticks - p->marks.began_ticks +
                                 prof_ticks_of_counts(clock, p->probe.overhead - p->marks.began_overhead);
    const int64_t idle_ticks = prof_ticks_of_counts(clock, p->probe.jump);
    char text[96];
    int length = my_snprintf(text, sizeof text, "%lld", (long long)(passed_ticks > 0 ? passed_ticks : 0));
    if (idle_ticks > 0 || p->marks.off_ticks > 0)
        length +=
            my_snprintf(text + length, sizeof text - (size_t)length, " %lld %lld %u", (long long)idle_ticks,
                        (long long)p->marks.off_ticks, (unsigned)p->frames.count);
    prof_output_chunk(p->out, &(nytp_chunk){.tag = NYTP_ATTRIBUTE,
                                            .attribute = {.key = {"clock", strlen("clock"), false},
                                                          .value = {text, (size_t)length, false}}});
}

void prof_clock_marks_write(prof *p, bool always)
{
    const prof_probe *probe = &p->probe;
    const bool is_due = probe->jump > 0 || p->marks.off_ticks > 0 || probe->overhead >= probe->mark_overhead;
    if (!has_marks(p) || (!is_due && !always))
        return;
    write_mark(p);
    p->marks.off_ticks = 0;
    p->probe.jump = 0;
    schedule(p);
}
