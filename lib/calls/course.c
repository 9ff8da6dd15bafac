#include "calls/course.h"

#include "base/ticks.h"
#include "model/grow.h"

#include <glib.h>

/* A call that was entered and not left. */
typedef struct open_call {
    uint32_t sub;
    int64_t incl_ticks, end_ticks;
    int64_t callees_ticks; /* of the calls that it makes and that have not been read */
} open_call;

struct nytp_course {
    nytp_callorder *order;
    bool by_clock;
    double carry_ticks; /* exclusive time that goes to the next call: a fraction of a tick, or negative */
    uint64_t calls;
    int64_t ticks;
    int64_t min_ticks;
    uint32_t max_depth; /* 0: no limit */
    uint64_t too_deep;
    bool turned;
    GArray *open;           /* open_call, outermost first */
    GArray *ends;           /* uint64_t: how many calls there were when each stack ended */
    int64_t gap_ticks;      /* of outermost calls that are left out before the next one */
    int64_t stack_ticks;    /* when the current stack began */
    uint64_t calls_read;    /* in the order of entries, with those that are left out */
    uint32_t stack;         /* of the call that was entered last */
    int64_t end_ticks;      /* where the next call may begin */
    nytp_ordered_call next; /* to be entered when the calls before it were left */
    bool has_next;
};

nytp_course *nytp_course_new(bool by_clock)
{
    nytp_course *c = g_new0(nytp_course, 1);
    c->order = nytp_callorder_new();
    c->by_clock = by_clock;
    c->open = NYTP_ARRAY(open_call);
    c->ends = NYTP_ARRAY(uint64_t);
    return c;
}

void nytp_course_free(nytp_course *course)
{
    if (course == NULL)
        return;
    nytp_callorder_free(course->order);
    g_array_free(course->open, TRUE);
    g_array_free(course->ends, TRUE);
    g_free(course);
}

void nytp_course_totals(const nytp_course *course, uint64_t *calls, int64_t *ticks)
{
    *calls = course->calls;
    *ticks = course->ticks;
}

void nytp_course_prune(nytp_course *course, int64_t min_ticks, uint32_t max_depth)
{
    course->min_ticks = min_ticks;
    course->max_depth = max_depth;
}

uint64_t nytp_course_too_deep(const nytp_course *course)
{
    return course->too_deep;
}

int nytp_course_error(const nytp_course *course)
{
    return nytp_callorder_error(course->order);
}

static int64_t whole_ticks(nytp_course *c, double ticks)
{
    c->carry_ticks += ticks;
    int64_t whole = c->carry_ticks > 0 ? nytp_whole_ticks(c->carry_ticks + 0.5) : 0;
    c->carry_ticks -= (double)whole;
    return whole;
}

void nytp_course_add_return(nytp_course *course, uint32_t sub, uint32_t depth, double excl_ticks,
                            double begin_ticks)
{
    const nytp_ordered_call call = {.sub = sub,
                                    .depth = depth,
                                    .ticks = whole_ticks(course, excl_ticks),
                                    .begin_ticks = nytp_whole_ticks(begin_ticks)};
    course->ticks = nytp_add_ticks(course->ticks, call.ticks);
    course->calls++;
    nytp_callorder_add(course->order, call);
}

void nytp_course_end_stack(nytp_course *course)
{
    nytp_callorder_add(course->order, (nytp_ordered_call){.sub = NYTP_CALLS_END});
    g_array_append_val(course->ends, course->calls);
}

static bool is_shown(nytp_course *c, const nytp_ordered_call *call)
{
    if (c->max_depth != 0 && call->depth >= c->max_depth) {
        c->too_deep++;
        return false;
    }
    return call->ticks >= c->min_ticks;
}

/* Sets next to the next call. */
static bool read_call(nytp_course *c)
{
    if (!nytp_callorder_next(c->order, &c->next))
        return false;
    c->calls_read++;
    return true;
}

/* The call is not shown: its caller has less room for the others, and outside of calls time passes. */
static void skip(nytp_course *c)
{
    const uint32_t depth = c->next.depth;
    if (depth == 0)
        c->gap_ticks = nytp_add_ticks(c->gap_ticks, c->next.ticks);
    if (depth > 0 && depth <= c->open->len) {
        int64_t *left = &g_array_index(c->open, open_call, depth - 1).callees_ticks;
        *left = nytp_add_ticks(*left, -c->next.ticks);
    }
}

/* A call takes no less than the calls that it makes: if it is left out, so are they. */
static bool read_next(nytp_course *c)
{
    while (!c->has_next && read_call(c)) {
        c->has_next = is_shown(c, &c->next);
        if (!c->has_next)
            skip(c);
    }
    return c->has_next;
}

static void leave(nytp_course *c, nytp_course_mark *mark)
{
    const open_call *call = &g_array_index(c->open, open_call, c->open->len - 1);
    *mark = (nytp_course_mark){false,           call->sub,      c->open->len - 1, c->stack,
                               call->end_ticks, c->stack_ticks, call->incl_ticks};
    c->end_ticks = call->end_ticks;
    g_array_set_size(c->open, c->open->len - 1);
}

static bool is_in_next_stack(const nytp_course *c)
{
    return c->stack < c->ends->len && c->calls_read > g_array_index(c->ends, uint64_t, c->stack);
}

/* Where the next call begins: when it did, but not before the call before it ended, and early enough that it
 * and those that follow end with their caller. */
static int64_t begin_by_clock(nytp_course *c)
{
    const int64_t begin = nytp_add_ticks(c->stack_ticks, c->next.begin_ticks);
    if (c->open->len == 0)
        return MAX(c->end_ticks, begin);
    open_call *caller = &g_array_index(c->open, open_call, c->open->len - 1);
    const int64_t last = nytp_add_ticks(caller->end_ticks, -caller->callees_ticks);
    caller->callees_ticks = nytp_add_ticks(caller->callees_ticks, -c->next.ticks);
    return MAX(c->end_ticks, MIN(begin, last));
}

static void begin_stack(nytp_course *c)
{
    if (is_in_next_stack(c))
        c->stack_ticks = c->end_ticks;
    while (is_in_next_stack(c))
        c->stack++;
}

static void enter(nytp_course *c, nytp_course_mark *mark)
{
    begin_stack(c);
    if (c->open->len == 0 && !c->by_clock)
        c->end_ticks = nytp_add_ticks(c->end_ticks, c->gap_ticks);
    c->gap_ticks = 0;
    if (c->by_clock)
        c->end_ticks = begin_by_clock(c);
    const open_call call = {c->next.sub, c->next.ticks, nytp_add_ticks(c->end_ticks, c->next.ticks),
                            c->next.callees_ticks};
    *mark = (nytp_course_mark){true,         call.sub,       c->open->len,   c->stack,
                               c->end_ticks, c->stack_ticks, call.incl_ticks};
    g_array_append_val(c->open, call);
    c->has_next = false;
}

bool nytp_course_next(nytp_course *course, nytp_course_mark *mark)
{
    if (!course->turned)
        nytp_callorder_turn(course->order);
    course->turned = true;
    bool any = read_next(course);
    if (course->open->len > (any ? course->next.depth : 0))
        leave(course, mark);
    else if (any)
        enter(course, mark);
    else
        return false;
    return nytp_course_error(course) == 0;
}
