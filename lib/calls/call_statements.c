/* The stream says when a statement ends, and when a call returns, but not which statements were a call's:
 *
 *     TIME of the statement that calls, so far
 *     TIME of each statement of the call but the last
 *     SUB_RETURN, TIME of the call's last statement, DISCOUNT
 *     TIME of the rest of the statement that calls
 *
 * So statements are kept until a call returns that had begun before them, which its inclusive time says. The
 * clock has too few ticks for short statements, so the lines of the sub decide which one was the first.
 * Built-ins and xsubs have no statements of their own.
 *
 * Of those that ran long before a call returns, some are added up, so that memory does not grow with them.
 * Then a call gets a part of them by time. */
#include "calls/call_statements.h"

#include "events/known_subs.h"
#include "format/marks.h"
#include "format/tags.h"
#include "model/grow.h"

#include <math.h>
#include <string.h>

enum {
    MOST_STATEMENTS = 1 << 15, /* that are kept one by one or added up */
    MOST_CALLS = 1 << 15,      /* that wait for the rest of the statement that made them */
    NEAR_TICKS = 20            /* the clock of calls and that of statements are as far apart */
};

/* A statement, or several in a row. */
typedef struct ran {
    double begin_ticks;
    int64_t ticks;
    uint64_t runs;
    uint32_t fid, line;
    bool are_many;
} ran;

/* A call that has returned. */
typedef struct ended {
    uint32_t sub, depth;
    double incl_ticks;
    double end_ticks; /* that of its last statement, if that has ended */
    nytp_place place; /* where it was called; fid 0: not known */
    const nytp_known_sub *known;
} ended;

struct nytp_call_statements {
    nytp_calltree *tree;
    ran *ran; /* those whose calls have not returned, in their order; at most MOST_STATEMENTS */
    guint ran_count;
    ended *ended; /* the innermost first; at most MOST_CALLS */
    size_t ended_capacity;
    guint ended_count;
    guint with_last; /* the first of them: their last statement has ended */
    double now_ticks;
    nytp_turns turns;
};

static ran *nth(const nytp_call_statements *s, guint i)
{
    return &s->ran[i];
}

/* Adds up the older ones by twos. */
static __attribute__((noinline)) void add_up(nytp_call_statements *s)
{
    enum { LATEST = MOST_STATEMENTS / 4, OLDER = MOST_STATEMENTS - LATEST };
    for (guint i = 0; i < OLDER / 2; i++) {
        ran both = s->ran[2 * i];
        both.ticks += s->ran[2 * i + 1].ticks;
        both.runs += s->ran[2 * i + 1].runs;
        both.are_many = true;
        s->ran[i] = both;
    }
    memmove(s->ran + OLDER / 2, s->ran + OLDER, LATEST * sizeof *s->ran);
    s->ran_count -= OLDER / 2;
}

static bool is_in(const ran *statement, const nytp_range *lines)
{
    return statement->fid == lines->fid && statement->line >= lines->first_line &&
           statement->line <= lines->last_line;
}

/* Returns whether it may be the first statement of the call. by_place: the one before it is where the call
 * was made; otherwise that is not in the sub. */
static inline bool may_be_first(const nytp_call_statements *s, guint first, const ended *call, bool by_place)
{
    const nytp_range *lines = &call->known->lines;
    const ran *before = first > 0 ? nth(s, first - 1) : NULL;
    const bool follows =
        by_place ? before != NULL && before->fid == call->place.fid && before->line == call->place.line
                 : before == NULL || !is_in(before, lines);
    return follows && (lines->fid == 0 || first == s->ran_count || is_in(nth(s, first), lines));
}

/* How far the begin of a statement is from that of a call; INFINITY if there is no such statement. */
static double ticks_apart(const nytp_call_statements *s, guint i, double begin_ticks)
{
    return i < s->ran_count ? fabs(nth(s, i)->begin_ticks - begin_ticks) : INFINITY;
}

/* Returns the first statement of a call that may be it and is nearest to its begin by the clock; UINT_MAX if
 * there is none. near: the first one after that. */
static inline guint find_first(const nytp_call_statements *s, guint near, double begin_ticks,
                               const ended *call, bool by_place)
{
    guint earlier = near, later = near;
    if (may_be_first(s, near, call, by_place))
        return near;
    for (;;) {
        const double earlier_ticks = ticks_apart(s, earlier - 1, begin_ticks), /* wraps around to none */
            later_ticks = ticks_apart(s, later, begin_ticks);
        if (!(earlier_ticks <= NEAR_TICKS || later_ticks <= NEAR_TICKS)) /* or NaN */
            return UINT_MAX;
        const guint first = earlier_ticks < later_ticks ? --earlier : ++later;
        if (may_be_first(s, first, call, by_place))
            return first;
    }
}

/* Takes what of several statements was after a moment. */
static void take_part(const nytp_call_statements *s, guint i, double begin_ticks, ran *own)
{
    ran *many = nth(s, i);
    const double end_ticks = i + 1 < s->ran_count ? nth(s, i + 1)->begin_ticks : s->now_ticks;
    const double share = (end_ticks - begin_ticks) / (end_ticks - many->begin_ticks);
    const uint64_t runs = (uint64_t)round((double)many->runs * fmin(share, 1));
    const int64_t ticks = (int64_t)round((double)many->ticks * fmin(share, 1));
    own->runs += runs;
    own->ticks += ticks;
    many->runs -= runs;
    many->ticks -= ticks;
}

/* The clock has too few ticks for short statements, so places decide among those that began at about that
 * time. The statement that goes on after a BEGIN block has not called it. */
static guint choose_first(const nytp_call_statements *s, guint near, double begin_ticks, const ended *call)
{
    const bool has_place = call->place.fid != 0 && !call->known->is_begin;
    guint first = has_place ? find_first(s, near, begin_ticks, call, true) : UINT_MAX;
    if (first == UINT_MAX && call->known->lines.fid != 0)
        first = find_first(s, near, begin_ticks, call, false);
    return first != UINT_MAX ? first : near;
}

/* Takes the statements of a call away, and returns their sums. */
static ran take_own(nytp_call_statements *s, const ended *call)
{
    const double begin_ticks = call->end_ticks - call->incl_ticks;
    const ran *end = s->ran + s->ran_count, *near = end;
    ran own = {0};
    while (near > s->ran && near[-1].begin_ticks >= begin_ticks)
        near--;
    const guint first = choose_first(s, (guint)(near - s->ran), begin_ticks, call);
    if (first > 0 && nth(s, first - 1)->are_many)
        take_part(s, first - 1, begin_ticks, &own);
    for (const ran *one = nth(s, first); one < end; one++) {
        own.runs += one->runs;
        own.ticks += one->ticks;
    }
    s->ran_count = first;
    return own;
}

/* Returns whether a call may have statements of its own. Stock's profiles say at their end which subs are
 * perl code; until then, the statement that goes on after the call does. */
static bool has_own(const ended *call, bool has_last)
{
    const enum nytp_own_statements kind = call->known->kind;
    return kind == NYTP_HAS_STATEMENTS ||
           (kind == NYTP_STATEMENTS_UNKNOWN && (!has_last || call->place.fid != 0));
}

/* Adds the first of the calls that have ended. */
static void add_calls(nytp_call_statements *s, guint count)
{
    if (count == 0) /* ended may be NULL */
        return;
    for (guint i = 0; i < count; i++) {
        const ended *call = &s->ended[i];
        const ran own = has_own(call, i < s->with_last) ? take_own(s, call) : (ran){0};
        nytp_calltree_add_return(s->tree, call->sub, call->depth, own.runs, (double)own.ticks);
    }
    s->ended_count -= count;
    s->with_last -= MIN(s->with_last, count);
    memmove(s->ended, s->ended + count, s->ended_count * sizeof *s->ended);
}

/* Adds the calls that wait for the rest of the statement that made them. */
static void end_calls(nytp_call_statements *s, const nytp_statement *statement)
{
    if (statement->executions == 0)
        s->ended[s->with_last - 1].place = (nytp_place){statement->fid, statement->line};
    add_calls(s, s->with_last);
}

/* Adds a statement that has ended. */
static inline void add_statement(nytp_call_statements *s, const nytp_statement *statement)
{
    s->ran[s->ran_count++] =
        (ran){s->now_ticks, statement->ticks, statement->executions, statement->fid, statement->line, false};
    s->now_ticks += statement->ticks;
}

/* Adds a statement before which calls have ended, or older statements are to be added up. */
static __attribute__((noinline)) void end_and_add(nytp_call_statements *s, const nytp_statement *statement)
{
    if (s->with_last > 0)
        end_calls(s, statement);
    if (s->ran_count == MOST_STATEMENTS)
        add_up(s);
    add_statement(s, statement);
    for (; s->with_last < s->ended_count; s->with_last++)
        s->ended[s->with_last].end_ticks = s->now_ticks;
}

static void on_statement(void *sink, const nytp_statement *statement)
{
    nytp_call_statements *s = sink;
    nytp_turns_add(&s->turns, statement, s->with_last > 0);
    if (s->ended_count > 0 || s->ran_count == MOST_STATEMENTS)
        end_and_add(s, statement);
    else
        add_statement(s, statement);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_call_statements *s = sink;
    const ended e = {.sub = call->sub,
                     .depth = call->depth,
                     .incl_ticks = call->incl_ticks,
                     .end_ticks = s->now_ticks,
                     .known = call->known};
    if (s->ended_count == MOST_CALLS)
        add_calls(s, s->ended_count);
    s->ended = nytp_grown(s->ended, &s->ended_capacity, s->ended_count + (size_t)1, sizeof *s->ended);
    s->ended[s->ended_count++] = e;
    if (has_own(&e, false))
        nytp_turns_return(&s->turns, &e.known->lines);
    else if (s->ended_count == 1)
        add_calls(s, 1);
}

/* Time in which recording was off is in that of the calls that went on. */
static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_call_statements *s = sink;
    nytp_mark mark;
    if (nytp_mark_kind(chunk) == NYTP_MARK_CLOCK && nytp_mark_read(chunk, &mark))
        s->now_ticks += mark.clock.off_ticks;
}

/* No call goes on. */
static void on_process(void *sink)
{
    nytp_call_statements *s = sink;
    add_calls(s, s->ended_count);
    nytp_calltree_end_stack(s->tree);
    s->ran_count = 0;
    s->now_ticks = 0;
    nytp_turns_reset(&s->turns);
}

nytp_call_statements *nytp_call_statements_new(nytp_calltree *calls)
{
    static const nytp_sink type = {.on_process = on_process,
                                   .on_call = on_call,
                                   .on_chunk = on_chunk,
                                   .on_statement = on_statement,
                                   .tags = NYTP_BIT(ATTRIBUTE),
                                   .needs_statements = true};
    nytp_call_statements *s = g_new0(nytp_call_statements, 1);
    s->tree = nytp_calltree_new_of(nytp_calltree_names(calls), NULL, NULL);
    s->turns = nytp_turns_new();
    s->ran = g_new(ran, MOST_STATEMENTS);
    nytp_events_add_sink(nytp_calltree_events(calls), &type, s);
    return s;
}

void nytp_call_statements_free(nytp_call_statements *statements)
{
    if (statements == NULL)
        return;
    nytp_calltree_free(statements->tree);
    nytp_turns_clear(&statements->turns);
    g_free(statements->ran);
    free(statements->ended);
    g_free(statements);
}

nytp_calltree *nytp_call_statements_tree(nytp_call_statements *statements)
{
    on_process(statements);
    return statements->tree;
}

const nytp_records *nytp_call_statements_turns(const nytp_call_statements *statements)
{
    return &statements->turns.all;
}
