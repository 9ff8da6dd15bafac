/* --no-wait: leaves out the time of subs that wait, also in the times of their callers and of their lines.
 *
 * A call that only waited is left out with its time. One that called others, as an event loop calls what
 * handles events, stays with their time and none of its own. What a call is, only its return says, so the
 * SUB_ENTRY of an open call is held back, if it is read, until something is passed that is within it.
 *
 * The time of a call is part of the statement that makes it. That ends after the call, so the next statement
 * loses what was waited: it may become less than 0, since the loop's line has a statement for each time that
 * the loop waited.
 * A mark of the clock says that the time has passed there, so that calls after it begin when they began.
 *
 * In a profile made of samples, the statements of an open call are its samples. They are held back, by line,
 * until the call returns. A call of which no sample is left is left out.
 *
 * Where it was measured how long the program was asleep (`waited`, and `state` of samples), exactly that is
 * left out, and no call goes away. With --work, what it was queued is left out, too.
 *
 * How long a process waited for a processor (`wait_for_cpu`) is not known of what is left.
 */
#include "events/filter.h"

#include "events/held.h"
#include "events/known_subs.h"
#include "events/levels.h"
#include "events/waited.h"
#include "format/marks.h"
#include "format/tags.h"
#include "model/measure.h"
#include "model/states.h"
#include "model/waits.h"

#include <glib.h>
#include <math.h>

/* Samples of one line that an open call has itself. */
typedef struct held_line {
    nytp_statement statement; /* ticks are not used */
    int64_t ticks;
    uint64_t count;
} held_line;

typedef struct open_call {
    uint32_t depth;      /* that at 0 stands for what is outside of all calls */
    bool has_callee;     /* a call that it made was passed on */
    double waited_ticks; /* what was left out of the calls that it made */
    double slept_ticks;  /* what was measured, and is left out of its own time */
    GArray *held;        /* held_line; NULL if it never had any */
} open_call;

typedef struct no_wait {
    nytp_filter filter;
    nytp_measure measure;
    bool is_sampled;
    bool has_states;    /* its samples say how long the program waited */
    bool is_measured;   /* the process says how long it waited */
    bool leaves_queued; /* what it was queued is left out, too */
    double slept_share; /* of the next sample: what is left out */
    guint depth;        /* how many calls are open, going by SUB_ENTRY and SUB_RETURN */
    nytp_held_entries entries;
    nytp_levels open;      /* open_call */
    double waited_ticks;   /* what the next statements lose */
    double worked_ticks;   /* of statements since the process began, without what they lost */
    guint waited_depth;    /* how many calls went on when that was waited last */
    double passed_ticks;   /* since the process began, to the end of the last statement */
    double left_out_ticks; /* of all calls so far */
    nytp_held_evals evals; /* which are passed on at once; each with left_out_ticks when it began */
    nytp_statement last;   /* the one before it; fid 0: none */
} no_wait;

static void clear_call(void *call)
{
    GArray *held = ((open_call *)call)->held;
    if (held != NULL)
        g_array_free(held, TRUE);
}

/* Returns the call at that depth, and forgets deeper ones. It is valid until one of another depth is asked
 * for. */
static open_call *call_at(no_wait *f, uint32_t depth)
{
    nytp_levels_cut(&f->open, depth);
    return nytp_levels_at(&f->open, depth);
}

/* The ticks of samples that were held together are spread over them. */
static void pass_held(const no_wait *f, const open_call *call)
{
    for (guint i = 0; call->held != NULL && i < call->held->len; i++) {
        const held_line *line = &g_array_index(call->held, held_line, i);
        nytp_statement statement = line->statement;
        const uint64_t longer = (uint64_t)(line->ticks % (int64_t)line->count);
        statement.ticks = (int32_t)(line->ticks / (int64_t)line->count);
        nytp_filter_pass_statement(&f->filter, &statement, line->count - longer);
        statement.ticks += longer > 0; /* without, it may be the largest number */
        nytp_filter_pass_statement(&f->filter, &statement, longer);
    }
}

static bool is_same_place(const nytp_statement *a, const nytp_statement *b)
{
    return a->fid == b->fid && a->line == b->line && a->executions == b->executions &&
           a->has_block == b->has_block &&
           (!a->has_block || (a->block_line == b->block_line && a->sub_line == b->sub_line));
}

static void hold_sample(open_call *call, const nytp_statement *statement, uint64_t times)
{
    if (call->held == NULL)
        call->held = g_array_new(FALSE, FALSE, sizeof(held_line));
    guint i = call->held->len; /* samples of one line usually follow one another */
    while (i > 0 && !is_same_place(&g_array_index(call->held, held_line, i - 1).statement, statement))
        i--;
    if (i == 0) {
        const held_line line = {*statement, 0, 0};
        g_array_append_val(call->held, line);
        i = call->held->len;
    }
    held_line *line = &g_array_index(call->held, held_line, i - 1);
    line->ticks += MAX(statement->ticks, 0) * (int64_t)times;
    line->count += times;
}

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

static void pass_less(no_wait *f, nytp_statement statement)
{
    const double waited = lost_ticks(f);
    double left = statement.ticks - waited;
    f->waited_ticks -= waited;
    f->worked_ticks -= waited;
    for (bool is_first = true; is_first || left < 0; is_first = false) {
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

/* A sample of which nothing is left is left out. */
static void on_state_sample(no_wait *f, const nytp_statement *statement, uint64_t times)
{
    nytp_statement awake = *statement;
    open_call *call = call_at(f, f->depth);
    const double slept_ticks = rint(statement->ticks * f->slept_share);
    awake.ticks = (int32_t)(statement->ticks - slept_ticks);
    f->slept_share = 0;
    call->slept_ticks += slept_ticks * (double)times;
    if (f->depth == 0)
        f->filter.left_out_ticks += slept_ticks * (double)times;
    if (awake.ticks == 0)
        return;
    if (f->depth > 0)
        hold_sample(call, &awake, times);
    else
        nytp_filter_pass_statement(&f->filter, &awake, times);
}

static void on_statement(nytp_filter *filter, const nytp_statement *statement, uint64_t times)
{
    no_wait *f = (no_wait *)filter;
    f->last = *statement;
    f->passed_ticks += (double)statement->ticks * (double)times;
    f->worked_ticks += fmax(statement->ticks, 0) * (double)times;
    if (f->has_states) {
        on_state_sample(f, statement, times);
        return;
    }
    if (f->is_sampled && f->depth > 0)
        hold_sample(call_at(f, f->depth), statement, times);
    else if (f->is_sampled || f->waited_ticks == 0)
        nytp_filter_pass_statement(filter, statement, times);
    else
        pass_less(f, *statement);
}

static void enter(no_wait *f, const nytp_chunk *chunk)
{
    f->depth++;
    nytp_held_entries_add(&f->entries, chunk);
}

/* Returns whether something of the call is left. */
static bool is_left(const no_wait *f, const open_call *call, bool waits)
{
    if (waits || f->is_sampled)
        return call->has_callee || (!waits && call->held != NULL && call->held->len > 0);
    return true;
}

/* Passes a return on, without what was waited in the call itself and in the calls that it made. */
static void pass_call(no_wait *f, const nytp_return *returned, const open_call *call, bool waits,
                      double own_ticks)
{
    nytp_return changed = *returned;
    changed.excl_ticks -= own_ticks;
    changed.incl_ticks -= own_ticks + call->waited_ticks;
    nytp_held_entries_pass(&f->entries, &f->filter, call->depth);
    if (!waits)
        pass_held(f, call);
    nytp_filter_pass_return(&f->filter, &changed);
}

static void on_return(nytp_filter *filter, const nytp_return *returned)
{
    no_wait *f = (no_wait *)filter;
    const uint32_t outer = returned->depth > 0 ? returned->depth - 1 : 0;
    const open_call *call = call_at(f, returned->depth);
    const bool waits = !f->is_measured && returned->sub->waits;
    nytp_held_evals_leave(&f->evals, returned->depth);
    const double own_ticks = waits ? fmax(returned->excl_ticks, 0) : call->slept_ticks;
    const double waited_ticks = call->waited_ticks + own_ticks;
    const bool left = is_left(f, call, waits);
    if (left)
        pass_call(f, returned, call, waits, own_ticks);
    nytp_levels_forget_last(&f->open);
    nytp_held_entries_leave(&f->entries, returned->depth);
    open_call *caller = call_at(f, outer);
    caller->has_callee |= left;
    caller->waited_ticks += waited_ticks;
    if (own_ticks > 0)
        f->waited_depth = outer;
    f->waited_ticks += f->is_sampled || f->is_measured ? 0 : own_ticks;
    f->filter.left_out_ticks += own_ticks;
    f->left_out_ticks += own_ticks;
    f->depth = outer;
}

/* What is passed on did not sleep. */
static void take_state(no_wait *f, const nytp_mark *mark)
{
    const nytp_states states = nytp_states_of(mark);
    const double all_s = nytp_states_all_s(states);
    const double left_out_s = states.sleep_s + (f->leaves_queued ? states.wait_s : 0);
    nytp_mark awake = *mark;
    f->has_states = true;
    f->slept_share = all_s > 0 ? left_out_s / all_s : 0;
    awake.count = 3;
    awake.state.sleep_ns = 0;
    if (f->leaves_queued)
        awake.state.wait_ns = 0;
    nytp_filter_pass_mark(&f->filter, &awake);
}

/* The time of the statement that comes next, and of the call. What is said of the process alone stays, since
 * it is in times of which nothing is known. */
static void take_waited(no_wait *f, const nytp_mark *mark)
{
    const nytp_waited waited = nytp_waited_of(mark);
    const double left_out_ticks = waited.asleep_ticks + (f->leaves_queued ? waited.queued_ticks : 0);
    nytp_mark left = *mark;
    if (mark->waited.of_process == 0) {
        open_call *call = nytp_levels_among(&f->open, (uint32_t)mark->waited.depth);
        call->slept_ticks += left_out_ticks;
        f->waited_ticks += left_out_ticks;
        f->waited_depth = (guint)mark->waited.depth;
        left.waited.asleep_ticks = 0;
        left.waited.queued_ticks = f->leaves_queued ? 0 : waited.queued_ticks;
        if (mark->waited.depth == 0)
            f->filter.left_out_ticks += left_out_ticks;
    }
    if (nytp_waited_ticks(nytp_waited_of(&left)) > 0)
        nytp_filter_pass_mark(&f->filter, &left);
}

static void begin_eval(no_wait *f, const nytp_mark *begin)
{
    nytp_held_evals_add(&f->evals, begin, f->left_out_ticks);
    nytp_held_evals_pass(&f->evals, &f->filter);
}

/* An eval did not wait in its calls. */
static void end_eval(no_wait *f, const nytp_mark *mark)
{
    nytp_mark end = *mark;
    double left_out_ticks;
    if (!nytp_held_evals_ends(&f->evals, mark, &left_out_ticks))
        return;
    end.eval_end.ticks = fmax(end.eval_end.ticks - (f->left_out_ticks - left_out_ticks), 0);
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
    case NYTP_MARK_WAIT_FOR_CPU: return;
    case NYTP_MARK_EVAL_BEGIN: begin_eval(f, &mark); return;
    case NYTP_MARK_EVAL_END: end_eval(f, &mark); return;
    case NYTP_MARK_STATE:
        if (!f->is_sampled)
            break;
        take_state(f, &mark);
        return;
    case NYTP_MARK_WAITED: take_waited(f, &mark); return;
    case NYTP_MARK_WAITS: f->is_measured = true; break;
    case NYTP_MARK_CLOCK: f->passed_ticks = mark.clock.passed_ticks; break;
    case NYTP_MARK_COROUTINE:
    case NYTP_MARK_PARTS:
    case NYTP_MARK_REQUEST:
    case NYTP_MARK_TRACE_CONTEXT:
    case NYTP_MARK_MEMORY:
    case NYTP_MARK_MEMORY_AT:
    case NYTP_MARK_PROCESS_CPU:
    case NYTP_MARK_PROCESS_CUT:
    case NYTP_MARK_SAMPLED_LOST: break;
    }
    nytp_filter_pass(&f->filter, chunk);
}

/* No call goes on. */
static void end_stack(no_wait *f)
{
    nytp_held_evals_leave(&f->evals, 0);
    nytp_held_entries_pass(&f->entries, &f->filter, f->depth);
    for (guint i = 0; i < f->open.count; i++)
        pass_held(f, nytp_levels_nth(&f->open, i));
    nytp_levels_empty(&f->open);
    nytp_held_entries_leave(&f->entries, 0);
    end_statements(f);
    f->depth = 0;
}

static void on_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    no_wait *f = (no_wait *)filter;
    switch (chunk->tag) {
    case NYTP_SUB_ENTRY: enter(f, chunk); return;
    case NYTP_SUB_CALLERS:
        if (nytp_is_xsub_mark(chunk))
            nytp_filter_pass(filter, chunk);
        return;
    case NYTP_PID_START:
    case NYTP_PID_END:
        end_stack(f);
        f->is_measured = false;
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
    f->is_sampled = f->has_states = f->is_measured = false;
    filter->left_out_ticks = 0;
}

static void clear(nytp_filter *filter)
{
    no_wait *f = (no_wait *)filter;
    nytp_levels_free(&f->open);
    nytp_held_entries_free(&f->entries);
    nytp_held_evals_free(&f->evals);
}

nytp_filter *nytp_filter_no_wait_new(const nytp_filter_options *options)
{
    static const nytp_filter_type type = {
        .statement = on_statement, .returned = on_return, .chunk = on_chunk, .end = end, .clear = clear};
    if (!options->no_wait && !options->work)
        return NULL;
    no_wait *f = g_new0(no_wait, 1);
    f->leaves_queued = options->work;
    f->measure = nytp_measure_new();
    f->filter = (nytp_filter){.type = &type,
                              .tags = NYTP_BIT(SUB_RETURN) | NYTP_BIT(ATTRIBUTE) | NYTP_BIT(PID_START) |
                                      NYTP_BIT(PID_END) | NYTP_BIT(SUB_CALLERS)};
    f->open = nytp_levels_new(sizeof(open_call), clear_call);
    f->entries = nytp_held_entries_new();
    f->evals = nytp_held_evals_new();
    return &f->filter;
}
