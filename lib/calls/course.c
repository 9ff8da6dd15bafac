#include "calls/course.h"

#include "base/ticks.h"
#include "calls/callorder.h"
#include "calls/pauses.h"

#include <glib.h>

/* A call that was entered and not left. */
typedef struct open_call {
    uint32_t sub;
    int64_t incl_ticks, end_ticks;
} open_call;

struct nytp_course {
    nytp_callorder *order;
    double carry_ticks; /* exclusive time that goes to the next call: a fraction of a tick, or negative */
    uint64_t calls;
    int64_t ticks;
    nytp_pauses pauses;
    int64_t stack_begin_ticks; /* ticks when the current stack began */
    int64_t paused_ticks;      /* of the current stack, in pauses that were added to the order */
    bool unplaced;             /* calls returned after the last pause or barrier */
    int64_t min_ticks;
    uint32_t max_depth; /* 0: no limit */
    uint64_t too_deep;
    bool turned;
    GArray *open;           /* open_call, outermost first */
    GArray *ends;           /* uint64_t: how many calls there were when each stack ended */
    bool in_group;          /* a pause is around the calls that are read */
    int64_t gap_ticks;      /* between the outermost call that was left last and the next one */
    int64_t stack_ticks;    /* when the current stack began */
    uint64_t calls_read;    /* in the order of entries, with those that are left out */
    uint32_t stack;         /* of the call that was entered last */
    int64_t end_ticks;      /* of the call that was left last */
    nytp_ordered_call next; /* to be entered when the calls before it were left */
    bool has_next;
};

nytp_course *nytp_course_new(void)
{
    nytp_course *c = g_new0(nytp_course, 1);
    c->order = nytp_callorder_new();
    c->open = g_array_new(FALSE, FALSE, sizeof(open_call));
    c->ends = g_array_new(FALSE, FALSE, sizeof(uint64_t));
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
    if (!nytp_is_ticks(ticks))
        return 0;
    c->carry_ticks += ticks;
    int64_t whole = c->carry_ticks > 0 ? (int64_t)(c->carry_ticks + 0.5) : 0;
    c->carry_ticks -= (double)whole;
    return whole;
}

void nytp_course_add_return(nytp_course *course, uint32_t sub, uint32_t depth, double excl_ticks)
{
    nytp_ordered_call call = {.sub = sub, .depth = depth, .ticks = whole_ticks(course, excl_ticks)};
    course->ticks = nytp_add_ticks(course->ticks, call.ticks);
    course->calls++;
    course->unplaced = true;
    nytp_pauses_return(&course->pauses, depth);
    nytp_callorder_add(course->order, call);
}

/* Puts what is known of the time before the last outermost calls into the order. */
static void add_pause(nytp_course *c)
{
    const int64_t pauses_ticks = nytp_whole_ticks(c->pauses.ticks);
    nytp_callorder_add(c->order,
                       (nytp_ordered_call){.sub = NYTP_CALLS_PAUSE, .ticks = pauses_ticks - c->paused_ticks});
    c->paused_ticks = pauses_ticks;
    c->unplaced = false;
}

void nytp_course_add_statements(nytp_course *course, double ticks)
{
    if (nytp_pauses_statement(&course->pauses, ticks, (double)(course->ticks - course->stack_begin_ticks)))
        add_pause(course);
}

void nytp_course_end_stack(nytp_course *course)
{
    if (course->unplaced && course->pauses.statement_ticks != 0)
        add_pause(course);
    course->pauses = (nytp_pauses){0};
    course->paused_ticks = 0;
    course->unplaced = false;
    course->stack_begin_ticks = course->ticks;
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

/* Sets next to the next call. Calls in a group are one deeper than they are. */
static bool read_call(nytp_course *c)
{
    while (nytp_callorder_next(c->order, &c->next)) {
        if (c->next.depth == 0)
            c->in_group = c->next.sub == NYTP_CALLS_PAUSE;
        if (c->next.sub != NYTP_CALLS_PAUSE) {
            c->next.depth -= c->in_group;
            c->calls_read++;
            return true;
        }
        c->gap_ticks = nytp_add_ticks(c->gap_ticks, c->next.ticks);
    }
    return false;
}

/* A call takes no less than the calls that it makes: if it is left out, so are they. Time passes all the
 * same.
 */
static bool read_next(nytp_course *c)
{
    while (!c->has_next && read_call(c)) {
        c->has_next = is_shown(c, &c->next);
        if (!c->has_next && c->next.depth == 0)
            c->gap_ticks = nytp_add_ticks(c->gap_ticks, c->next.ticks);
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

/* A call begins where the previous call of the same caller ended, or, if there is none, where its caller
 * begins. */
static void enter(nytp_course *c, nytp_course_mark *mark)
{
    if (is_in_next_stack(c))
        c->stack_ticks = c->end_ticks;
    while (is_in_next_stack(c))
        c->stack++;
    if (c->open->len == 0) {
        c->end_ticks = nytp_add_ticks(c->end_ticks, c->gap_ticks);
        c->gap_ticks = 0;
    }
    const int64_t begin = c->end_ticks;
    open_call call = {c->next.sub, c->next.ticks, nytp_add_ticks(begin, c->next.ticks)};
    *mark =
        (nytp_course_mark){true, call.sub, c->open->len, c->stack, begin, c->stack_ticks, call.incl_ticks};
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
