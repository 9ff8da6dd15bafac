#include "events/spans.h"

#include "base/labels.h"
#include "base/order.h"
#include "events/byte_at.h"
#include "events/events.h"
#include "events/levels.h"
#include "model/grow.h"
#include "model/hashes.h"

#include <math.h>

/* Calls that have returned, and wait for the return of their caller. */
typedef struct level {
    uint32_t depth;
    uint64_t calls; /* with those that they made */
} level;

enum choice { UNKNOWN, CHOSEN, NOT_CHOSEN };

/* A request, or a span that is one call. */
typedef struct whole {
    double latency_s; /* from its begin to its end */
    bool is_chosen;
    bool has_parts; /* that are not within other spans */
} whole;

typedef struct finding {
    nytp_spans *spans;
    const nytp_events *events;
    GPatternSpec *pattern; /* of their names; NULL: any */
    guint processes;       /* that have begun */
    uint64_t calls;        /* that have returned */
    nytp_levels levels;    /* level */
    nytp_names *names;
    GArray *chosen;    /* by number of name: enum choice */
    guint other_count; /* names of other spans */
    GArray *wholes;    /* whole */
    GHashTable *open;  /* uint64_t *: id of a request of the current process, and its number */
} finding;

static void note_other(finding *s, nytp_str text)
{
    enum { MOST = 8 };
    if (s->other_count++ < MOST)
        g_string_append_printf(s->spans->others, "%s'%.*s'", s->other_count > 1 ? ", " : "", (int)text.length,
                               text.bytes);
    else if (s->other_count == MOST + 1)
        g_string_append(s->spans->others, ", ...");
}

/* A span by its name, as a pattern with * and ?, or any sub by its full name. */
static enum choice choose(finding *s, nytp_str name)
{
    nytp_label label;
    if (!nytp_labels_split(NULL, name, &label))
        return s->spans->name != NULL && nytp_str_is(name, s->spans->name) ? CHOSEN : NOT_CHOSEN;
    g_autofree char *text = g_strndup(label.text.bytes, label.text.length);
    if (s->pattern == NULL || g_pattern_spec_match_string(s->pattern, text))
        return CHOSEN;
    note_other(s, label.text);
    return NOT_CHOSEN;
}

static bool is_chosen(finding *s, uint32_t sub)
{
    uint8_t *choice = nytp_byte_at(s->chosen, sub);
    if (*choice == UNKNOWN)
        *choice = (uint8_t)choose(s, nytp_names_get(s->names, sub));
    return *choice == CHOSEN;
}

static void on_process(void *sink)
{
    finding *s = sink;
    s->processes++;
    nytp_levels_empty(&s->levels);
    g_hash_table_remove_all(s->open);
}

static const nytp_span *last_of(const GArray *all)
{
    return all->len > 0 ? &g_array_index(all, nytp_span, all->len - 1) : NULL;
}

/* Returns how many calls a call that returns has made, with those that they made. */
static uint64_t calls_within(finding *s, uint32_t depth)
{
    level callees = {0};
    nytp_levels_leave(&s->levels, depth, &callees, sizeof callees);
    ((level *)nytp_levels_at(&s->levels, depth))->calls += callees.calls + 1;
    return callees.calls;
}

static whole *whole_at(const finding *s, guint number)
{
    return &g_array_index(s->wholes, whole, number);
}

static guint add_whole(const finding *s, double ticks, bool is_chosen)
{
    const whole added = {.latency_s = ticks / nytp_events_ticks_per_sec(s->events), .is_chosen = is_chosen};
    g_array_append_val(s->wholes, added);
    return s->wholes->len - 1;
}

/* Which request is chosen is known when it ends, with its last name. */
static guint whole_of_request(const finding *s, uint64_t id)
{
    gpointer number = NULL;
    if (g_hash_table_lookup_extended(s->open, &id, NULL, &number))
        return GPOINTER_TO_UINT(number);
    const guint added = add_whole(s, 0, false);
    g_hash_table_insert(s->open, g_memdup2(&id, sizeof id), GUINT_TO_POINTER(added));
    return added;
}

/* Spans within one that is chosen are parts of it. */
static void on_call(void *sink, const nytp_call_event *call)
{
    finding *s = sink;
    const uint64_t within = calls_within(s, call->depth), number = s->calls++;
    const bool is_request = call->request != 0;
    if (s->processes == 0 || (!is_request && !is_chosen(s, call->sub)))
        return;
    GArray *all = s->spans->all;
    const nytp_call_time *when = &call->when;
    const double ticks = fmax(call->incl_ticks, 0);
    const nytp_span found = {.process = s->processes - 1,
                             .begin_ticks = when->clock_ticks,
                             .ticks = ticks,
                             .true_begin_ticks = when->begin_ticks,
                             .true_ticks = ticks + when->uncounted_ticks,
                             .depth = call->depth,
                             .first_call = number - within,
                             .last_call = number,
                             .whole = is_request ? whole_of_request(s, call->request)
                                                 : add_whole(s, nytp_call_latency_ticks(call), true)};
    for (const nytp_span *last;
         !is_request && (last = last_of(all)) != NULL && last->first_call >= found.first_call;
         g_array_set_size(all, all->len - 1)) {
    }
    g_array_append_val(all, found);
}

static void on_request(void *sink, const nytp_request *request)
{
    finding *s = sink;
    gpointer number = NULL;
    if (!g_hash_table_lookup_extended(s->open, &request->id, NULL, &number))
        return;
    *whole_at(s, GPOINTER_TO_UINT(number)) = (whole){
        .latency_s = (request->end_ticks - request->begin_ticks) / nytp_events_ticks_per_sec(s->events),
        .is_chosen = is_chosen(s, request->sub)};
    g_hash_table_remove(s->open, &request->id);
}

static void read_all(finding *s, nytp_reader *reader)
{
    static const nytp_sink sink = {
        .on_process = on_process, .on_call = on_call, .on_request = on_request, .needs_clock = true};
    nytp_events *events = nytp_events_new(s->names);
    s->events = events;
    nytp_events_add_sink(events, &sink, s);
    nytp_events_read_all(events, reader, NULL, NULL);
    nytp_events_free(events);
}

/* Leaves out the spans of wholes that are not chosen. */
static void keep_chosen(const finding *s)
{
    GArray *all = s->spans->all;
    guint left = 0;
    NYTP_EACH(const nytp_span, one, all) {
        const nytp_span span = *one;
        if (whole_at(s, span.whole)->is_chosen)
            g_array_index(all, nytp_span, left++) = span;
    }
    g_array_set_size(all, left);
}

/* Leaves out spans within others, which return later. */
static void keep_outermost(const finding *s)
{
    GArray *all = s->spans->all;
    guint first = all->len;
    for (guint i = all->len; i-- > 0;) {
        const nytp_span span = g_array_index(all, nytp_span, i);
        if (first < all->len && span.first_call >= g_array_index(all, nytp_span, first).first_call)
            continue;
        g_array_index(all, nytp_span, --first) = span;
        whole_at(s, span.whole)->has_parts = true;
    }
    g_array_remove_range(all, 0, first);
}

static gint longest_first(gconstpointer a, gconstpointer b, gpointer wholes)
{
    const guint x = *(const guint *)a, y = *(const guint *)b;
    return nytp_order2(NYTP_ORDER(whole_at(wholes, y)->latency_s, whole_at(wholes, x)->latency_s),
                       NYTP_ORDER(x, y));
}

static void keep_slowest(finding *s, nytp_slowest slowest)
{
    g_autoptr(GArray) numbers = NYTP_ARRAY(guint);
    for (guint i = 0; i < s->wholes->len; i++)
        if (whole_at(s, i)->has_parts)
            g_array_append_val(numbers, i);
    const double count = slowest.is_none      ? 0
                         : slowest.count == 0 ? numbers->len
                         : slowest.is_percent ? ceil(numbers->len * slowest.count / 100)
                                              : slowest.count;
    g_array_sort_with_data(numbers, longest_first, s);
    for (guint i = 0; i < numbers->len; i++) {
        whole *w = whole_at(s, g_array_index(numbers, guint, i));
        w->is_chosen = i < count;
        if (w->is_chosen)
            g_array_append_val(s->spans->latencies_s, w->latency_s);
    }
    keep_chosen(s);
}

nytp_spans *nytp_find_spans(nytp_reader *reader, const nytp_filter_options *options)
{
    nytp_spans *spans = g_new0(nytp_spans, 1);
    *spans = (nytp_spans){.name = options->span,
                          .all = NYTP_ARRAY(nytp_span),
                          .latencies_s = NYTP_ARRAY(double),
                          .others = g_string_new(NULL)};
    finding f = {.spans = spans,
                 .pattern = options->span != NULL ? g_pattern_spec_new(options->span) : NULL,
                 .levels = nytp_levels_new(sizeof(level), NULL),
                 .names = nytp_names_new(),
                 .chosen = g_array_new(FALSE, TRUE, 1),
                 .wholes = NYTP_ARRAY(whole),
                 .open = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, NULL)};
    read_all(&f, reader);
    keep_chosen(&f);
    keep_outermost(&f);
    keep_slowest(&f, options->slowest);
    g_array_free(f.wholes, TRUE);
    g_hash_table_destroy(f.open);
    if (f.pattern != NULL)
        g_pattern_spec_free(f.pattern);
    nytp_levels_free(&f.levels);
    nytp_names_free(f.names);
    g_array_free(f.chosen, TRUE);
    return spans;
}
