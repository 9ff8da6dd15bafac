#include "calls/growth.h"

#include "base/labels.h"
#include "events/byte_at.h"
#include "events/levels.h"
#include "model/grow.h"

#include <math.h>
#include <string.h>

enum { LABELS = NYTP_QUANTITIES, OTHERS = LABELS - 1 /* labels without a number of their own */ };
enum { UNKNOWN, NO_SPAN, FIRST_LABEL }; /* kinds of subs; from FIRST_LABEL on, the number of a label */

/* Less than this does not say that a process grows, or by what. */
enum { FEWEST_POINTS = 20, FEWEST_ERRORS = 4, LEAST_BYTES = 1 << 20 };
static const double least_r2 = 0.8;

/* What a process grows by once, such as the table of a cache, fits a line, too, if it does so twice. */
enum { STEPS = 2 };
static const double most_of_steps = 0.5;

/* Spans that have ended at a depth, and wait for the return of their caller. */
typedef struct level {
    uint32_t depth;
    uint32_t ended[LABELS];
} level;

struct nytp_growth {
    const nytp_names *names;
    const nytp_events *events;
    GArray *kinds;           /* by sub, a byte */
    uint32_t labels[LABELS]; /* their subs */
    int label_count;
    GArray *found; /* nytp_span_growth */
    /* of the current process */
    uint32_t pid;
    uint64_t ended[LABELS];
    bool has_ended; /* one of them, since the last point */
    bool has_point;
    double point[LABELS + 1]; /* the last one, which is not in squares: how many had ended, and RSS */
    double most_bytes;
    double high_bytes, grown_bytes; /* most of the points in squares, and how much more than the first has */
    double steps[STEPS];            /* the largest rises of high_bytes, the largest first */
    nytp_levels levels;
    nytp_least_squares squares;
};

nytp_growth *nytp_growth_new(const nytp_names *names)
{
    nytp_growth *g = g_new0(nytp_growth, 1);
    g->names = names;
    g->kinds = g_array_new(FALSE, TRUE, 1);
    g->found = NYTP_ARRAY(nytp_span_growth);
    g->levels = nytp_levels_new(sizeof(level), NULL);
    return g;
}

void nytp_growth_free(nytp_growth *growth)
{
    if (growth == NULL)
        return;
    g_array_unref(growth->kinds);
    g_array_unref(growth->found);
    nytp_levels_free(&growth->levels);
    g_free(growth);
}

static __attribute__((noinline)) uint8_t new_kind(nytp_growth *g, uint32_t sub)
{
    nytp_label label;
    if (!nytp_labels_split(NULL, nytp_names_get(g->names, sub), &label))
        return NO_SPAN;
    if (g->label_count == OTHERS)
        return FIRST_LABEL + OTHERS;
    g->labels[g->label_count] = sub;
    return (uint8_t)(FIRST_LABEL + g->label_count++);
}

static uint8_t kind_of(nytp_growth *g, uint32_t sub)
{
    uint8_t *kind = nytp_byte_at(g->kinds, sub);
    if (*kind == UNKNOWN)
        *kind = new_kind(g, sub);
    return *kind;
}

/* A span returns, or a call within which some may have ended. */
static __attribute__((noinline)) void end_call(nytp_growth *g, const nytp_call_event *call, int label)
{
    level within = {0}; /* the spans that ended within it */
    nytp_levels_leave(&g->levels, call->depth, &within, sizeof within);
    level *here = nytp_levels_at(&g->levels, call->depth);
    for (int i = 0; i < LABELS; i++) {
        if (label >= 0)
            g->ended[i] -= within.ended[i];
        else
            here->ended[i] += within.ended[i];
    }
    if (label < 0)
        return;
    here->ended[label]++;
    g->ended[label]++;
    g->has_ended = true;
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_growth *g = sink;
    const uint8_t kind = kind_of(g, call->sub);
    const bool is_span = kind >= FIRST_LABEL && call->count > 0;
    if (is_span || nytp_levels_below(&g->levels, call->depth) != NULL)
        end_call(g, call, is_span ? kind - FIRST_LABEL : -1);
}

/* Adds the last point. */
static void add_point(nytp_growth *g)
{
    double rise = fmax(g->point[LABELS] - g->high_bytes, 0);
    if (g->squares.count == 0)
        rise = 0, g->high_bytes = g->point[LABELS];
    g->high_bytes += rise;
    g->grown_bytes += rise;
    for (int i = 0; i < STEPS; i++) {
        const double larger = fmax(rise, g->steps[i]);
        rise = fmin(rise, g->steps[i]);
        g->steps[i] = larger;
    }
    nytp_least_squares_add(&g->squares, g->point);
}

/* The first mark after the end of a span is a point if another span ends after it. Before the first span has
 * ended, the program only begins, and after the last one perl may free what the program holds. */
static void on_memory(void *sink, const nytp_memory_at *memory)
{
    nytp_growth *g = sink;
    g->most_bytes = fmax(g->most_bytes, memory->rss_bytes);
    if (!g->has_ended || nytp_events_is_sampled(g->events))
        return;
    if (g->has_point)
        add_point(g);
    for (int i = 0; i < LABELS; i++)
        g->point[i] = (double)g->ended[i];
    g->point[LABELS] = memory->rss_bytes;
    g->has_point = true;
    g->has_ended = false;
}

/* Adds the growth of a label in a process. Keeps that of the process in which its spans left most. */
static void add_found(const nytp_growth *g, nytp_span_growth grown)
{
    NYTP_EACH(nytp_span_growth, before, g->found) {
        if (before->name != grown.name)
            continue;
        if (before->bytes_each * (double)before->count < grown.bytes_each * (double)grown.count)
            *before = grown;
        return;
    }
    g_array_append_val(g->found, grown);
}

/* Whether most of what a process grew by came in few steps. */
static bool grew_in_steps(const nytp_growth *g)
{
    double sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += g->steps[i];
    return sum >= most_of_steps * g->grown_bytes;
}

static void end_process(nytp_growth *g)
{
    nytp_fit fit;
    const bool is_sure = g->squares.count >= FEWEST_POINTS && !grew_in_steps(g) &&
                         nytp_least_squares_fit(&g->squares, &fit) && fit.r2 >= least_r2;
    for (int i = 0; i < g->label_count && is_sure; i++) {
        const double each = fit.multiple[i];
        if (each > FEWEST_ERRORS * fit.error[i] && each * (double)g->ended[i] >= LEAST_BYTES)
            add_found(g, (nytp_span_growth){g->labels[i], g->pid, each, g->most_bytes, g->ended[i]});
    }
    memset(g->ended, 0, sizeof g->ended);
    g->has_ended = g->has_point = false;
    g->most_bytes = g->grown_bytes = 0;
    memset(g->steps, 0, sizeof g->steps);
    nytp_levels_empty(&g->levels);
    g->squares = (nytp_least_squares){0};
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_growth *g = sink;
    end_process(g);
    g->pid = chunk->pid_start.pid;
}

void nytp_growth_take(nytp_growth *growth, nytp_events *events)
{
    static const nytp_sink type = {
        .on_call = on_call, .on_memory = on_memory, .on_chunk = on_chunk, .tags = NYTP_BIT(PID_START)};
    growth->events = events;
    nytp_events_add_sink(events, &type, growth);
}

const GArray *nytp_growth_get(nytp_growth *growth)
{
    end_process(growth);
    return growth->found;
}

nytp_str nytp_growth_name(const nytp_growth *growth, uint32_t name)
{
    return nytp_names_get(growth->names, name);
}
