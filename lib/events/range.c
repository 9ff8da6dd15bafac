/* --range=FROM..TO: leaves out what did not happen in a stretch of time, by the clock of each process
 * (clock.h).
 *
 * A statement or call that an end of the stretch divides is divided, so that stretches into which a run is
 * cut add up to it. It counts where it ends; elsewhere it has time alone. How much of a call's own time is
 * before an end within it follows from the times of the calls that it made: each call adds, for each end that
 * it contains, its time before that end to the sum of its caller.
 *
 * A process that has nothing within the stretch is left out, so its PID_START is held back until something
 * is passed.
 */
#include "events/filter.h"

#include "base/str.h"
#include "base/ticks.h"
#include "events/held_entries.h"
#include "events/levels.h"
#include "events/timed_subs.h"
#include "format/tags.h"
#include "model/measure.h"

#include <float.h>
#include <math.h>

enum { FROM, TO, ENDS };

/* Calls of one depth that have returned, and wait for the return of their caller. */
typedef struct level {
    uint32_t depth;
    double before_ticks[ENDS]; /* their time before an end, if it is within one of them */
    bool is_passed;            /* some of them were */
} level;

typedef struct range_filter {
    nytp_filter filter;
    nytp_stretch stretch;
    bool has_begin;
    double begin_s; /* of the first process of the profile */
    double ticks_per_sec;
    nytp_measure measure;
    bool is_sampled;
    bool lacks_date; /* the stretch is of a time of day, which the profile has not */
    bool some_passed;
    double end_s; /* of the process that ended last, since begin_s, by its clock */
    nytp_timed_subs subs;
    /* of the current process */
    double start_s;   /* since begin_s */
    nytp_chunk start; /* its PID_START */
    bool is_held;     /* that was not passed on */
    double latest_s;  /* the end of the stretch, in seconds since 1970 */
    double end_ticks[ENDS];
    nytp_process_clock clock;
    nytp_levels levels; /* level */
    nytp_held_entries entries;
    GString *state; /* the attribute of the next sample */
    bool has_state;
} range_filter;

/* Returns how many ends are before a time: one if the time is within the stretch. What happens at TO is still
 * within. */
static guint ends_before(const range_filter *f, double ticks)
{
    return (f->end_ticks[FROM] < ticks) + (guint)(f->end_ticks[TO] < ticks);
}

static double clamped(const range_filter *f, double ticks)
{
    return fmin(fmax(ticks, f->end_ticks[FROM]), f->end_ticks[TO]);
}

static void pass_process(range_filter *f)
{
    f->some_passed = true;
    if (f->is_held)
        nytp_filter_pass(&f->filter, &f->start);
    f->is_held = false;
}

static void pass_state(range_filter *f)
{
    const nytp_chunk state = {.tag = NYTP_ATTRIBUTE,
                              .attribute = {{"state", 5, false}, {f->state->str, f->state->len, false}}};
    if (f->has_state)
        nytp_filter_pass(&f->filter, &state);
    f->has_state = false;
}

/* Passes a statement with what was held back before it. */
static inline void pass_statement(range_filter *f, const nytp_statement *statement)
{
    const guint open = f->entries.entries->len;
    if (f->is_held || f->has_state || f->entries.passed < open) {
        pass_process(f);
        nytp_held_entries_pass(&f->entries, &f->filter, open);
        pass_state(f);
    }
    nytp_filter_pass_statement(&f->filter, statement, 1);
}

/* A statement that contains an end of the stretch, or begins or ends at one. */
static void divide_statement(range_filter *f, const nytp_statement *statement, double begin_ticks,
                             double end_ticks)
{
    const bool is_within = ends_before(f, end_ticks) == 1;
    nytp_statement left = *statement;
    left.ticks = (int32_t)(clamped(f, end_ticks) - clamped(f, begin_ticks));
    left.executions = is_within ? statement->executions : 0;
    if (is_within || left.ticks != 0)
        pass_statement(f, &left);
}

static inline void add_statement(range_filter *f, const nytp_statement *statement)
{
    const double from = f->end_ticks[FROM], to = f->end_ticks[TO];
    const double begin_ticks = f->clock.statement_ticks;
    nytp_clock_add_statements(&f->clock, statement->ticks);
    const double end_ticks = f->clock.statement_ticks;
    if (begin_ticks > from && end_ticks > from && begin_ticks < to && end_ticks < to)
        pass_statement(f, statement);
    else if (!(begin_ticks < from && end_ticks < from) && !(begin_ticks > to && end_ticks > to))
        divide_statement(f, statement, begin_ticks, end_ticks);
}

static void on_statement(nytp_filter *filter, const nytp_statement *statement, uint64_t times)
{
    range_filter *f = (range_filter *)filter;
    for (; times > 0; times--) {
        add_statement(f, statement);
        f->has_state = false;
    }
}

/* Removes the levels below a call that returns, and returns that of the calls that it made. */
static level leave(range_filter *f, uint32_t depth)
{
    level callees = {.depth = UINT32_MAX};
    for (const level *l; (l = nytp_levels_below(&f->levels, depth)) != NULL;
         nytp_levels_remove_last(&f->levels))
        if (l->depth == depth + 1)
            callees = *l;
    return callees;
}

/* In a profile made of samples all time is in statements. */
static enum nytp_own_statements own_statements(const range_filter *f, const nytp_str *name)
{
    return f->is_sampled ? NYTP_HAS_STATEMENTS : nytp_timed_subs_by_name(&f->subs, name);
}

/* The times of a call that are within the stretch. */
static nytp_return divided(const range_filter *f, const nytp_return *returned, double begin_ticks,
                           double end_ticks, const level *callees, level *here)
{
    const guint end = ends_before(f, end_ticks);
    nytp_return left = *returned;
    left.excl_ticks = end == 1 ? returned->excl_ticks : 0;
    left.incl_ticks = end == 1 ? returned->incl_ticks : 0;
    for (guint i = ends_before(f, begin_ticks); i < end; i++) {
        const double before_ticks = f->end_ticks[i] - begin_ticks;
        const double own_ticks =
            fmin(fmax(before_ticks - callees->before_ticks[i], 0), fmax(returned->excl_ticks, 0));
        left.incl_ticks += i == TO ? before_ticks : -before_ticks;
        left.excl_ticks += i == TO ? own_ticks : -own_ticks;
        here->before_ticks[i] += before_ticks;
    }
    left.is_part = returned->is_part || (end != 1 && !f->is_sampled);
    return left;
}

static void on_return(nytp_filter *filter, const nytp_return *returned)
{
    range_filter *f = (range_filter *)filter;
    const uint32_t depth = returned->depth;
    const double ticks = nytp_is_ticks(returned->incl_ticks) ? fmax(returned->incl_ticks, 0) : 0;
    nytp_clock_return(&f->clock, depth, ticks, own_statements(f, &returned->name));
    const double end_ticks = f->clock.statement_ticks + f->clock.since_ticks;
    const level callees = leave(f, depth);
    level *here = nytp_levels_at(&f->levels, depth);
    const nytp_return left = divided(f, returned, end_ticks - ticks, end_ticks, &callees, here);
    const bool is_left = ends_before(f, end_ticks) == 1 || left.incl_ticks != 0 || callees.is_passed;
    if (is_left)
        nytp_held_entries_pass(&f->entries, filter, depth);
    if (nytp_held_entries_leave(&f->entries, depth) || is_left) {
        pass_process(f);
        nytp_filter_pass_return(filter, &left);
        here->is_passed = true;
    }
}

/* No call goes on. */
static void end_stack(range_filter *f)
{
    f->levels.count = 0;
    nytp_held_entries_leave(&f->entries, 0);
    f->has_state = false;
    f->end_s = fmax(f->end_s, f->start_s + f->clock.statement_ticks / f->ticks_per_sec);
    nytp_clock_reset(&f->clock);
}

/* An end of the stretch by the clock of the process. What is at its begin is after an end there. */
static double end_ticks(const range_filter *f, double s)
{
    return s > f->start_s ? rint((s - f->start_s) * f->ticks_per_sec) : -DBL_MAX;
}

/* Its PID_START is held back, with the time at which the stretch begins. */
static void begin_process(range_filter *f, const nytp_chunk *start)
{
    double from_s, to_s;
    const double time_s = start->pid_start.time_s;
    end_stack(f);
    f->begin_s = f->has_begin ? f->begin_s : time_s;
    f->has_begin = true;
    f->start_s = time_s - f->begin_s;
    f->lacks_date |= !nytp_stretch_since(&f->stretch, f->begin_s, &from_s, &to_s);
    f->end_ticks[FROM] = end_ticks(f, from_s);
    f->end_ticks[TO] = end_ticks(f, to_s);
    f->start = *start;
    f->start.pid_start.time_s = fmax(time_s, f->begin_s + from_s);
    f->latest_s = f->begin_s + to_s;
    f->is_held = true;
}

static void end_process(range_filter *f, const nytp_chunk *end)
{
    nytp_chunk left = *end;
    left.pid_end.time_s = fmax(fmin(end->pid_end.time_s, f->latest_s), f->start.pid_start.time_s);
    if (!f->is_held && end->pid_end.pid == f->start.pid_start.pid)
        nytp_filter_pass(&f->filter, &left);
    end_stack(f);
}

/* Attributes that are true of the whole run alone. */
static bool is_of_run(nytp_str key)
{
    static const char *const keys[] = {"clock", "process_cpu_s", "sampled_lost_s", "sampled_missed_s",
                                       "wait_for_cpu"};
    size_t i = 0;
    while (i < G_N_ELEMENTS(keys) && !nytp_str_is(key, keys[i]))
        i++;
    return i < G_N_ELEMENTS(keys);
}

static void take_attribute(range_filter *f, const nytp_chunk *chunk)
{
    const nytp_str key = chunk->attribute.key, value = chunk->attribute.value;
    nytp_measure_note(&f->measure, key, value);
    f->is_sampled = nytp_measure_is_sampled(&f->measure);
    f->filter.tags |= f->is_sampled ? NYTP_EVENTS : 0;
    if (nytp_str_is(key, "ticks_per_sec") && nytp_is_rate(nytp_str_number(value)))
        f->ticks_per_sec = nytp_str_number(value);
    if (nytp_str_is(key, "state")) {
        g_string_truncate(f->state, 0);
        g_string_append_len(f->state, value.bytes, (gssize)value.length);
        f->has_state = true;
    } else if (!is_of_run(key) && !(f->is_held && nytp_str_is(key, "process_cut"))) {
        nytp_filter_pass(&f->filter, chunk);
    }
}

static void on_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    range_filter *f = (range_filter *)filter;
    switch (chunk->tag) {
    case NYTP_SUB_ENTRY: nytp_held_entries_add(&f->entries, chunk); return;
    case NYTP_PID_START: begin_process(f, chunk); return;
    case NYTP_PID_END: end_process(f, chunk); return;
    case NYTP_ATTRIBUTE: take_attribute(f, chunk); return;
    case NYTP_SUB_INFO:
    case NYTP_SUB_CALLERS: nytp_timed_subs_add(&f->subs, chunk); break;
    default: break;
    }
    if (chunk->tag != NYTP_SUB_CALLERS || nytp_is_xsub_mark(chunk))
        nytp_filter_pass(filter, chunk);
}

static void end(nytp_filter *filter)
{
    range_filter *f = (range_filter *)filter;
    end_stack(f);
    f->has_begin = f->is_sampled = false;
    f->measure = nytp_measure_new();
    f->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    nytp_timed_subs_forget(&f->subs);
}

static void clear(nytp_filter *filter)
{
    range_filter *f = (range_filter *)filter;
    nytp_timed_subs_clear(&f->subs);
    nytp_clock_clear(&f->clock);
    nytp_levels_free(&f->levels);
    nytp_held_entries_free(&f->entries);
    g_string_free(f->state, TRUE);
}

static char *missing(const nytp_filter *filter)
{
    const range_filter *f = (const range_filter *)filter;
    return f->some_passed ? NULL
           : f->lacks_date
               ? g_strdup_printf("no time of day, as in %s", f->stretch.text)
               : g_strdup_printf("nothing in %s: it ends %.3f s after its begin", f->stretch.text, f->end_s);
}

nytp_filter *nytp_filter_range_new(const nytp_filter_options *options)
{
    static const nytp_filter_type type = {.statement = on_statement,
                                          .returned = on_return,
                                          .chunk = on_chunk,
                                          .end = end,
                                          .clear = clear,
                                          .missing = missing};
    if (options->range.from.kind == NYTP_NO_MOMENT && options->range.to.kind == NYTP_NO_MOMENT)
        return NULL;
    range_filter *f = g_new0(range_filter, 1);
    f->filter = (nytp_filter){.type = &type,
                              .tags = NYTP_TIMES | NYTP_BIT(DISCOUNT) | NYTP_BIT(SUB_RETURN) |
                                      NYTP_BIT(ATTRIBUTE) | NYTP_BIT(PID_START) | NYTP_BIT(PID_END) |
                                      NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS)};
    f->stretch = options->range;
    f->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    f->measure = nytp_measure_new();
    f->subs = nytp_timed_subs_new();
    nytp_clock_init(&f->clock);
    f->levels = nytp_levels_new(sizeof(level));
    f->entries = nytp_held_entries_new();
    f->state = g_string_new(NULL);
    return &f->filter;
}
