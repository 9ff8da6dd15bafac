#include "calls/span_trees.h"

#include "base/order.h"
#include "base/str.h"
#include "format/tags.h"
#include "model/grow.h"

#include <math.h>

enum { MOST_LINES = 100 /* of a span */ };

/* A span that has ended, whose last statement has not. */
typedef struct ended {
    nytp_lines_of_span *lines;
    double ticks; /* that it took */
    uint32_t depth;
    bool is_left; /* a caller of it has returned */
} ended;

struct nytp_span_lines {
    const nytp_calltree *calls;
    nytp_events *events;
    nytp_recent *recent;
    nytp_slice_places places;
    GArray *ended;
    GArray *sums;        /* nytp_span_line, by number of the place; all 0 but while they are summed up */
    bool has_coroutines; /* the current process */
};

static void clear_lines(gpointer lines)
{
    g_clear_pointer(&((nytp_lines_of_span *)lines)->most, g_array_unref);
}

void nytp_lines_of_span_unref(void *lines)
{
    g_rc_box_release_full(lines, clear_lines);
}

nytp_span_lines *nytp_span_lines_new(const nytp_calltree *calls, uint32_t most)
{
    nytp_span_lines *l = g_new0(nytp_span_lines, 1);
    l->calls = calls;
    l->recent = nytp_recent_new(most);
    l->places = nytp_slice_places_new();
    l->ended = NYTP_ARRAY(ended);
    l->sums = NYTP_ZEROED_ARRAY(nytp_span_line);
    return l;
}

static void forget_ended(nytp_span_lines *l)
{
    NYTP_EACH(const ended, e, l->ended)
        nytp_lines_of_span_unref(e->lines);
    g_array_set_size(l->ended, 0);
}

void nytp_span_lines_free(nytp_span_lines *lines)
{
    if (lines == NULL)
        return;
    nytp_span_lines_end(lines);
    nytp_slice_places_free(&lines->places);
    g_array_unref(lines->ended);
    g_array_unref(lines->sums);
    g_free(lines);
}

/* ---- the lines of a span ---- */

static nytp_span_line *sum_of(nytp_span_lines *l, uint32_t place)
{
    if (place >= l->sums->len)
        g_array_set_size(l->sums, place + 1);
    return &g_array_index(l->sums, nytp_span_line, place);
}

/* Adds what of an entry is within the last ticks of a span. Notes new places in touched. */
static void add_entry(nytp_span_lines *l, const nytp_recent_entry *e, double ticks, GArray *touched)
{
    if (e->place == 0)
        return;
    const uint32_t place = nytp_slice_places_number(
        &l->places, (nytp_slice_place){(uint32_t)e->place, (uint32_t)(e->place >> 32)});
    nytp_span_line *sum = sum_of(l, place);
    if (sum->place == 0) {
        sum->place = place + 1;
        g_array_append_val(touched, place);
    }
    sum->runs += ticks < e->ticks ? (uint64_t)ceil(e->runs * (ticks / e->ticks)) : e->runs;
    sum->ticks += fmin(ticks, e->ticks);
}

static gint most_first(gconstpointer x, gconstpointer y)
{
    const nytp_span_line *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(b->ticks, a->ticks), NYTP_ORDER(a->place, b->place));
}

/* Keeps those with most time. */
static void keep_most(nytp_lines_of_span *lines)
{
    GArray *most = lines->most;
    g_array_sort(most, most_first);
    for (guint i = MOST_LINES; i < most->len; i++)
        lines->other_ticks += g_array_index(most, nytp_span_line, i).ticks;
    if (most->len > MOST_LINES) {
        lines->others += most->len - MOST_LINES;
        g_array_set_size(most, MOST_LINES);
    }
}

/* Takes the sums of these places, and leaves 0. */
static void take_sums(nytp_span_lines *l, const GArray *touched, nytp_lines_of_span *to)
{
    to->most = g_array_sized_new(FALSE, FALSE, sizeof(nytp_span_line), touched->len);
    NYTP_EACH(const uint32_t, number, touched) {
        const uint32_t place = *number;
        nytp_span_line *sum = sum_of(l, place);
        const nytp_span_line line = {place, sum->runs, nytp_calltree_scaled(l->calls, sum->ticks)};
        g_array_append_val(to->most, line);
        *sum = (nytp_span_line){0};
    }
    keep_most(to);
}

/* skipped: how many of the last entries came after it. */
static void find_lines(nytp_span_lines *l, const ended *span, uint32_t skipped)
{
    double ticks = span->ticks;
    g_autoptr(GArray) touched = NYTP_ARRAY(uint32_t);
    const nytp_recent_entry *e = NULL;
    for (uint32_t n = skipped; ticks > 0 && (e = nytp_recent_back(l->recent, n)) != NULL; n++) {
        add_entry(l, e, ticks, touched);
        ticks -= e->ticks;
    }
    take_sums(l, touched, span->lines);
    if (ticks > 0 && l->recent->has_lost) {
        span->lines->known = NYTP_LINES_OLD;
        g_clear_pointer(&span->lines->most, g_array_unref);
    }
}

/* The last statement of all that have ended since the one before it has ended, or the process has. */
static void on_awaited(void *lines, bool is_there)
{
    nytp_span_lines *l = lines;
    NYTP_EACH(ended, e, l->ended)
        find_lines(l, e, is_there && !e->is_left);
    forget_ended(l);
}

nytp_lines_of_span *nytp_span_lines_add(nytp_span_lines *lines, const nytp_call_event *call)
{
    nytp_lines_of_span *of = g_rc_box_new0(nytp_lines_of_span);
    of->known = lines->has_coroutines    ? NYTP_LINES_COROUTINES
                : lines->recent->is_left ? NYTP_LINES_OLD
                                         : NYTP_LINES_KNOWN;
    nytp_recent_want(lines->recent);
    if (of->known != NYTP_LINES_KNOWN)
        return of;
    const ended span = {.lines = g_rc_box_acquire(of), .ticks = call->incl_ticks, .depth = call->depth};
    g_array_append_val(lines->ended, span);
    nytp_recent_await(lines->recent, on_awaited, lines);
    return of;
}

static bool is_awaited(const nytp_lines_of_span *lines)
{
    return lines->known == NYTP_LINES_KNOWN && lines->most == NULL;
}

static void add_line(GArray *to, const nytp_span_line *line)
{
    NYTP_EACH(nytp_span_line, known, to) {
        if (known->place != line->place)
            continue;
        known->runs += line->runs;
        known->ticks += line->ticks;
        return;
    }
    g_array_append_val(to, *line);
}

bool nytp_lines_of_span_join(nytp_lines_of_span *lines, const nytp_lines_of_span *part)
{
    if (is_awaited(lines) || is_awaited(part))
        return false;
    if (lines->known == NYTP_LINES_KNOWN && part->known != NYTP_LINES_KNOWN) {
        lines->known = part->known;
        g_clear_pointer(&lines->most, g_array_unref);
    }
    if (lines->known != NYTP_LINES_KNOWN)
        return true;
    NYTP_EACH(nytp_span_line, line, part->most)
        add_line(lines->most, line);
    lines->others += part->others;
    lines->other_ticks += part->other_ticks;
    keep_most(lines);
    return true;
}

/* ---- the stream ---- */

/* Programs with spans usually have this module before the first one. */
static bool is_module_of_spans(nytp_str name)
{
    static const char module[] = "NYTProf/Span.pm";
    const size_t length = sizeof module - 1;
    return name.length >= length && memcmp(name.bytes + name.length - length, module, length) == 0;
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_span_lines *l = sink;
    if (chunk->tag == NYTP_NEW_FID && is_module_of_spans(chunk->new_fid.name))
        nytp_recent_want(l->recent);
    else if (nytp_mark_kind(chunk) == NYTP_MARK_COROUTINE)
        l->has_coroutines = true;
}

static void on_call(void *sink, const nytp_call_event *call)
{
    const nytp_span_lines *l = sink;
    NYTP_EACH(ended, e, l->ended)
        e->is_left |= call->depth < e->depth;
}

static void on_process(void *sink)
{
    ((nytp_span_lines *)sink)->has_coroutines = false;
}

void nytp_span_lines_take(nytp_span_lines *lines, nytp_events *events)
{
    static const nytp_sink type = {.on_process = on_process,
                                   .on_call = on_call,
                                   .on_chunk = on_chunk,
                                   .tags = NYTP_BIT(NEW_FID) | NYTP_BIT(ATTRIBUTE),
                                   .needs_clock = true};
    lines->events = events;
    nytp_events_add_sink(events, &type, lines);
    nytp_events_keep_recent(events, lines->recent);
}

void nytp_span_lines_place_files(nytp_span_lines *lines, nytp_slice_fid_fn *fid_of, const void *context)
{
    nytp_slice_places_end_profile(&lines->places, fid_of, context);
}

void nytp_span_lines_end(nytp_span_lines *lines)
{
    if (lines->events != NULL)
        nytp_events_keep_recent(lines->events, NULL);
    lines->events = NULL;
    forget_ended(lines);
    g_clear_pointer(&lines->recent, nytp_recent_free);
}

nytp_slice_place nytp_span_lines_place(const nytp_span_lines *lines, uint32_t number)
{
    return g_array_index(lines->places.all, nytp_slice_place, number);
}
