/* --no-wait: leaves out the time in which the program was asleep, also in the times of the callers and of the
 * lines; with --work, what it was queued, too. No call goes away.
 *
 * Marks say it (`waited`), and `state` of samples. In a process that has neither, a call that waits by its
 * name was asleep, which only its return says.
 *
 * The time of a call is part of the statement that makes it. That ends after the call, so the next statement
 * loses what was waited: it may become less than 0, since the loop's line has a statement for each time that
 * the loop waited.
 * A mark of the clock says that the time has passed there, so that calls after it begin when they began.
 *
 * How long a process waited for a processor (`wait_for_cpu`) is not known of what is left.
 */
#include "events/filter.h"

#include "events/held.h"
#include "events/known_subs.h"
#include "events/waited.h"
#include "format/marks.h"
#include "format/tags.h"
#include "model/measure.h"

#include <glib.h>
#include <math.h>

typedef struct no_wait {
    nytp_filter filter;
    nytp_measure measure;
    bool is_sampled;
    bool lacks_states;            /* of a profile: its samples do not say how long the program waited */
    bool leaves_queued;           /* what it was queued is left out, too */
    guint depth;                  /* how many calls are open, going by SUB_ENTRY and SUB_RETURN */
    nytp_waits waits;             /* what is left out of the calls that go on */
    double waited_ticks;          /* what the next statements lose */
    double worked_ticks;          /* of statements since the process began, without what they lost */
    guint waited_depth;           /* how many calls went on when that was waited last */
    double passed_ticks;          /* since the process began, to the end of the last statement */
    nytp_held_evals evals;        /* which are passed on at once; each with left_out_ticks when it began */
    nytp_statement last;          /* the one before it; fid 0: none */
} no_wait;

/* What waited for less than half a millisecond gets no mark, as what the collector does not count. */
static void pass_mark(const no_wait *f, double waited_ticks)
{
    const nytp_mark mark = {.kind = NYTP_MARK_CLOCK,
                            .count = 4,
                            .clock = {.passed_ticks = rint(f->passed_ticks),
                                      .idle_ticks = rint(waited_ticks),
                                      .depth = f->waited_depth}};
    if (!f->is_sampled && waited_ticks * 2000 >= f->measure.ticks_per_base)
        nytp_filter_pass_mark(&f->filter, &mark);
}

/* Returns what the next statement loses. No more was waited than has passed: a damaged profile may say that,
 * and would become a profile of any length. */
static double lost_ticks(const no_wait *f)
{
    return fmin(rint(f->waited_ticks), f->worked_ticks);
}

/* A sample of which nothing is left is left out. */
static void pass_less(no_wait *f, nytp_statement statement)
{
    const double waited = lost_ticks(f);
    double left = statement.ticks - waited;
    f->waited_ticks -= waited;
    f->worked_ticks -= waited;
    for (bool is_first = !f->is_sampled || left > 0; is_first || left < 0; is_first = false) {
        statement.executions *= is_first;
        statement.ticks = (int32_t)fmax(left, -INT32_MAX);
        left = fmin(left + INT32_MAX, 0);
        nytp_filter_pass_statement(&f->filter, &statement, 1);
    }
    pass_mark(f, waited);
}

/* The last statement has ended: its place loses what it was not known to have waited. */
static void end_statements(no_wait *f)
{
    f->last.executions = 0;
    f->last.ticks = 0;
    if (f->last.fid != 0 && lost_ticks(f) != 0)
        pass_less(f, f->last);
    f->last.fid = 0;
    f->waited_ticks = f->worked_ticks = 0;
}

/* The call at that depth, or what is outside of calls, loses so much of its own time, and the statement that
 * comes next. */
static void wait_at(no_wait *f, uint32_t depth, nytp_waited waited)
{
    waited.queued_ticks *= f->leaves_queued;
    const double ticks = nytp_waited_ticks(waited);
    if (!(ticks > 0))
        return;
    nytp_waits_add(&f->waits, depth, waited);
    f->filter.left_out_ticks += ticks;
    f->waited_ticks += ticks;
    f->waited_depth = depth;
}

static void on_sample(no_wait *f, const nytp_statement *statement)
{
    f->lacks_states |= !f->waits.knows_samples;
    wait_at(f, f->depth, nytp_waits_take_sample(&f->waits, statement->ticks));
    f->waited_ticks = rint(f->waited_ticks);
}

static void on_statement(nytp_filter *filter, const nytp_statement *statement, uint64_t times)
{
    no_wait *f = (no_wait *)filter;
    f->last = *statement;
    f->passed_ticks += (double)statement->ticks * (double)times;
    f->worked_ticks += fmax(statement->ticks, 0) * (double)times;
    if (f->is_sampled)
        on_sample(f, statement);
    if (f->waited_ticks == 0 && !f->is_sampled)
        nytp_filter_pass_statement(filter, statement, times);
    else
        pass_less(f, *statement);
}

static void on_return(nytp_filter *filter, const nytp_return *returned)
{
    no_wait *f = (no_wait *)filter;
    const uint32_t outer = returned->depth > 0 ? returned->depth - 1 : 0;
    nytp_return left = *returned;
    if (!f->waits.are_measured && !f->is_sampled && returned->sub->waits && returned->excl_ticks > 0)
        wait_at(f, returned->depth, (nytp_waited){.asleep_ticks = returned->excl_ticks});
    nytp_held_evals_leave(&f->evals, returned->depth);
    const nytp_call_waited out =
        nytp_waits_leave(&f->waits, returned->depth, returned->incl_ticks, returned->excl_ticks);
    left.excl_ticks -= nytp_waited_ticks(out.own);
    left.incl_ticks -= nytp_waited_ticks(out.incl);
    nytp_filter_pass_return(filter, &left);
    if (nytp_waited_ticks(out.own) > 0)
        f->waited_depth = outer;
    f->depth = outer;
}

/* What is passed on did not sleep. */
static void take_state(no_wait *f, const nytp_mark *mark)
{
    nytp_mark awake = *mark;
    nytp_waits_note_state(&f->waits, mark);
    awake.count = 3;
    awake.state.sleep_ns = 0;
    if (f->leaves_queued)
        awake.state.wait_ns = 0;
    nytp_filter_pass_mark(&f->filter, &awake);
}

/* What is said of the process alone stays, since it is in times of which nothing is known. */
static void take_waited(no_wait *f, const nytp_mark *mark)
{
    const nytp_waited waited = nytp_waited_of(mark);
    nytp_mark left = *mark;
    if (mark->waited.of_process == 0) {
        wait_at(f, (uint32_t)mark->waited.depth, waited);
        left.waited.asleep_ticks = 0;
        left.waited.queued_ticks = f->leaves_queued ? 0 : waited.queued_ticks;
    }
    if (nytp_waited_ticks(nytp_waited_of(&left)) > 0)
        nytp_filter_pass_mark(&f->filter, &left);
}

static void end_eval(no_wait *f, const nytp_mark *mark)
{
    nytp_mark end = *mark;
    double left_out_ticks;
    if (!nytp_held_evals_ends(&f->evals, mark, &left_out_ticks))
        return;
    end.eval_end.ticks = fmax(end.eval_end.ticks - (f->filter.left_out_ticks - left_out_ticks), 0);
    nytp_held_evals_end(&f->evals, &f->filter, &end);
}

static void take_setting(no_wait *f, const nytp_chunk *chunk)
{
    nytp_measure_note(&f->measure, chunk->attribute.key, chunk->attribute.value);
    f->is_sampled = nytp_measure_is_sampled(&f->measure);
    f->filter.tags |= f->is_sampled ? NYTP_EVENTS : 0;
    nytp_filter_pass(&f->filter, chunk);
}

static void take_attribute(no_wait *f, const nytp_chunk *chunk)
{
    nytp_mark mark;
    if (!nytp_mark_read(chunk, &mark) && mark.kind != NYTP_NO_MARK)
        return;
    switch (mark.kind) {
    case NYTP_NO_MARK: take_setting(f, chunk); return;
    case NYTP_MARK_WAIT_FOR_CPU:
    case NYTP_MARK_KEPT:
    case NYTP_MARK_LEFT: return;
    case NYTP_MARK_EVAL_BEGIN:
        nytp_held_evals_add(&f->evals, &mark, f->filter.left_out_ticks);
        nytp_held_evals_pass(&f->evals, &f->filter);
        return;
    case NYTP_MARK_EVAL_END: end_eval(f, &mark); return;
    case NYTP_MARK_STATE:
        if (!f->is_sampled)
            break;
        take_state(f, &mark);
        return;
    case NYTP_MARK_WAITED: take_waited(f, &mark); return;
    case NYTP_MARK_WAITS: f->waits.are_measured = true; break;
    case NYTP_MARK_CLOCK: f->passed_ticks = mark.clock.passed_ticks; break;
    case NYTP_MARK_COROUTINE:
    case NYTP_MARK_PARTS:
    case NYTP_MARK_REQUEST:
    case NYTP_MARK_TRACE_CONTEXT:
    case NYTP_MARK_MEMORY:
    case NYTP_MARK_MEMORY_AT:
    case NYTP_MARK_PROCESS_CPU:
    case NYTP_MARK_PROCESS_CUT:
    case NYTP_MARK_SAMPLED_LOST:
    case NYTP_MARK_HEAP_RECORDS:
    case NYTP_MARK_HEAP_FILE:
    case NYTP_MARK_HEAP_MARK: break;
    }
    nytp_filter_pass(&f->filter, chunk);
}

/* No call goes on. */
static void end_stack(no_wait *f)
{
    nytp_held_evals_leave(&f->evals, 0);
    end_statements(f);
    nytp_waits_reset(&f->waits);
    f->depth = 0;
}

static void on_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    no_wait *f = (no_wait *)filter;
    switch (chunk->tag) {
    case NYTP_SUB_ENTRY: f->depth++; break;
    case NYTP_SUB_CALLERS:
        if (nytp_is_xsub_mark(chunk))
            nytp_filter_pass(filter, chunk);
        return;
    case NYTP_PID_START:
    case NYTP_PID_END:
        end_stack(f);
        f->passed_ticks = 0;
        break;
    case NYTP_ATTRIBUTE: take_attribute(f, chunk); return;
    default: break;
    }
    nytp_filter_pass(filter, chunk);
}

static void end(nytp_filter *filter)
{
    no_wait *f = (no_wait *)filter;
    end_stack(f);
    f->measure = nytp_measure_new();
    f->is_sampled = false;
    nytp_waits_end_profile(&f->waits);
    filter->left_out_ticks = 0;
}

static void clear(nytp_filter *filter)
{
    no_wait *f = (no_wait *)filter;
    nytp_waits_clear(&f->waits);
    nytp_held_evals_free(&f->evals);
}

static char *wrong(const nytp_filter *filter)
{
    const no_wait *f = (const no_wait *)filter;
    return f->lacks_states ? g_strdup("has samples that do not say whether the program waited (`state`)")
                           : NULL;
}

nytp_filter *nytp_filter_no_wait_new(const nytp_filter_options *options)
{
    static const nytp_filter_type type = {.statement = on_statement,
                                          .returned = on_return,
                                          .chunk = on_chunk,
                                          .end = end,
                                          .clear = clear,
                                          .wrong = wrong};
    if (!options->no_wait && !options->work)
        return NULL;
    no_wait *f = g_new0(no_wait, 1);
    f->leaves_queued = options->work;
    f->measure = nytp_measure_new();
    f->filter = (nytp_filter){.type = &type,
                              .tags = NYTP_BIT(SUB_RETURN) | NYTP_BIT(ATTRIBUTE) | NYTP_BIT(PID_START) |
                                      NYTP_BIT(PID_END) | NYTP_BIT(SUB_CALLERS)};
    f->waits = nytp_waits_new();
    f->evals = nytp_held_evals_new();
    return &f->filter;
}
