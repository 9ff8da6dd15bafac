#include "events/find_spans.h"

#include "base/labels.h"
#include "events/events.h"
#include "events/levels.h"
#include "events/name_bytes.h"
#include "events/read_all.h"

#include <math.h>

/* Calls that have returned, and wait for the return of their caller. */
typedef struct level {
    uint32_t depth;
    uint64_t calls; /* with those that they made */
} level;

enum choice { UNKNOWN, CHOSEN, NOT_CHOSEN };

typedef struct finding {
    nytp_spans *spans;
    GPatternSpec *pattern; /* of their names; NULL: any */
    guint processes;       /* that have begun */
    uint64_t calls;        /* that have returned */
    nytp_levels levels;    /* level */
    nytp_names *names;
    GArray *chosen;    /* by number of name: enum choice */
    guint other_count; /* names of other spans */
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
    const bool is_span = nytp_labels_split(NULL, name, &label) && label.kind == NYTP_LABEL_SPAN;
    if (!is_span)
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
    s->levels.count = 0;
}

static const nytp_span *last_of(const GArray *all)
{
    return all->len > 0 ? &g_array_index(all, nytp_span, all->len - 1) : NULL;
}

/* Returns how many calls a call that returns has made, with those that they made. */
static uint64_t calls_within(finding *s, uint32_t depth)
{
    uint64_t calls = 0;
    for (const level *l; (l = nytp_levels_below(&s->levels, depth)) != NULL;
         nytp_levels_remove_last(&s->levels))
        if (l->depth == depth + 1)
            calls = l->calls;
    ((level *)nytp_levels_at(&s->levels, depth))->calls += calls + 1;
    return calls;
}

/* Spans within the one that returns are parts of it. */
static void on_call(void *sink, const nytp_call_event *call)
{
    finding *s = sink;
    const uint64_t within = calls_within(s, call->depth), number = s->calls++;
    if (!is_chosen(s, call->sub) || s->processes == 0)
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
                             .last_call = number};
    for (const nytp_span *last; (last = last_of(all)) != NULL && last->first_call >= found.first_call;
         g_array_set_size(all, all->len - 1)) {
    }
    g_array_append_val(all, found);
}

static void read_all(finding *s, nytp_reader *reader)
{
    static const nytp_sink sink = {.on_process = on_process, .on_call = on_call, .needs_clock = true};
    nytp_events *events = nytp_events_new(s->names);
    nytp_events_add_sink(events, &sink, s);
    nytp_events_read_all(events, reader, NULL, NULL);
    nytp_events_free(events);
}

static gint longest_first(gconstpointer a, gconstpointer b)
{
    const nytp_span *x = a, *y = b;
    return x->ticks > y->ticks ? -1 : x->ticks < y->ticks;
}

static gint in_order(gconstpointer a, gconstpointer b)
{
    const nytp_span *x = a, *y = b;
    return x->first_call < y->first_call ? -1 : x->first_call > y->first_call;
}

static void keep_slowest(GArray *all, nytp_slowest slowest)
{
    const double count = slowest.is_percent ? ceil(all->len * slowest.count / 100) : slowest.count;
    if (count == 0 || count >= all->len)
        return;
    g_array_sort(all, longest_first);
    g_array_set_size(all, (guint)count);
    g_array_sort(all, in_order);
}

nytp_spans *nytp_find_spans(nytp_reader *reader, const nytp_filter_options *options)
{
    nytp_spans *spans = g_new0(nytp_spans, 1);
    *spans = (nytp_spans){.name = options->span,
                          .all = g_array_new(FALSE, FALSE, sizeof(nytp_span)),
                          .others = g_string_new(NULL)};
    finding f = {.spans = spans,
                 .pattern = options->span != NULL ? g_pattern_spec_new(options->span) : NULL,
                 .levels = nytp_levels_new(sizeof(level)),
                 .names = nytp_names_new(),
                 .chosen = g_array_new(FALSE, TRUE, 1)};
    read_all(&f, reader);
    keep_slowest(spans->all, options->slowest);
    if (f.pattern != NULL)
        g_pattern_spec_free(f.pattern);
    nytp_levels_free(&f.levels);
    nytp_names_free(f.names);
    g_array_free(f.chosen, TRUE);
    return spans;
}
