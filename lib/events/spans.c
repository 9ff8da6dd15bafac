#include "events/spans.h"

#include "base/labels.h"
#include "events/events.h"
#include "events/levels.h"
#include "events/name_bytes.h"
#include "format/reader.h"

#include <math.h>
#include <string.h>

typedef struct span {
    guint process;
    double begin_ticks, ticks;
    uint64_t first_call, last_call; /* numbers of the calls within it, which return before it, and of itself */
} span;

/* Calls that have returned, and wait for the return of their caller. */
typedef struct level {
    uint32_t depth;
    uint64_t calls; /* with those that they made */
} level;

struct nytp_spans {
    const char *name; /* or a pattern; NULL: any */
    GPatternSpec *pattern;
    GArray *all;     /* span, in the order in which they returned */
    guint processes; /* that have begun */
    uint64_t calls;  /* that have returned */
    nytp_levels levels;
    guint asked; /* index of the span in which the next call can be */
    nytp_names *names;
    GByteArray *chosen; /* by number of name: enum choice */
    GString *others;    /* some names of other spans: "'a', 'b'" */
    guint other_count;
};

enum choice { UNKNOWN, CHOSEN, NOT_CHOSEN };

static void note_other(nytp_spans *s, nytp_str text)
{
    enum { MOST = 8 };
    if (s->other_count++ < MOST)
        g_string_append_printf(s->others, "%s'%.*s'", s->other_count > 1 ? ", " : "", (int)text.length,
                               text.bytes);
    else if (s->other_count == MOST + 1)
        g_string_append(s->others, ", ...");
}

/* A span by its name, as a pattern with * and ?, or any sub by its full name. */
static enum choice choose(nytp_spans *s, nytp_str name)
{
    nytp_label label;
    const bool is_span = nytp_labels_split(NULL, name, &label) && label.kind == NYTP_LABEL_SPAN;
    if (!is_span)
        return s->name != NULL && nytp_str_is(name, s->name) ? CHOSEN : NOT_CHOSEN;
    g_autofree char *text = g_strndup(label.text.bytes, label.text.length);
    if (s->pattern == NULL || g_pattern_spec_match_string(s->pattern, text))
        return CHOSEN;
    note_other(s, label.text);
    return NOT_CHOSEN;
}

static bool is_chosen(nytp_spans *s, uint32_t sub)
{
    if (sub >= s->chosen->len) {
        const guint known = s->chosen->len;
        g_byte_array_set_size(s->chosen, sub + 1);
        memset(s->chosen->data + known, UNKNOWN, sub + 1 - known);
    }
    guint8 *choice = &s->chosen->data[sub];
    if (*choice == UNKNOWN)
        *choice = (guint8)choose(s, nytp_names_get(s->names, sub));
    return *choice == CHOSEN;
}

static void on_process(void *sink)
{
    nytp_spans *s = sink;
    s->processes++;
    s->levels.count = 0;
}

static span *last_span(const nytp_spans *s)
{
    return s->all->len > 0 ? &g_array_index(s->all, span, s->all->len - 1) : NULL;
}

/* Returns how many calls a call that returns has made, with those that they made. */
static uint64_t calls_within(nytp_spans *s, uint32_t depth)
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
    nytp_spans *s = sink;
    const uint64_t within = calls_within(s, call->depth), number = s->calls++;
    if (!is_chosen(s, call->sub) || s->processes == 0)
        return;
    const span found = {s->processes - 1, call->begin_ticks, fmax(call->incl_ticks, 0), number - within,
                        number};
    for (const span *last; (last = last_span(s)) != NULL && last->first_call >= found.first_call;
         g_array_set_size(s->all, s->all->len - 1)) {
    }
    g_array_append_val(s->all, found);
}

static void read_all(nytp_spans *s, nytp_reader *reader)
{
    static const nytp_sink sink = {.on_process = on_process, .on_call = on_call, .needs_clock = true};
    nytp_events *events = nytp_events_new(s->names);
    nytp_events_add_sink(events, &sink, s);
    do {
        nytp_reader_set_tags(reader, nytp_events_tags(events));
        while (nytp_events_read(events, reader) == NYTP_OK) {
        }
        nytp_events_end_profile(events);
    } while (nytp_reader_error(reader)->code >= 0 && nytp_reader_next_profile(reader, NULL) == NYTP_OK);
    nytp_events_free(events);
}

static gint longest_first(gconstpointer a, gconstpointer b)
{
    const span *x = a, *y = b;
    return x->ticks > y->ticks ? -1 : x->ticks < y->ticks;
}

static gint in_order(gconstpointer a, gconstpointer b)
{
    const span *x = a, *y = b;
    return x->first_call < y->first_call ? -1 : x->first_call > y->first_call;
}

static void keep_slowest(const nytp_spans *s, nytp_slowest slowest)
{
    const double count = slowest.is_percent ? ceil(s->all->len * slowest.count / 100) : slowest.count;
    if (count == 0 || count >= s->all->len)
        return;
    g_array_sort(s->all, longest_first);
    g_array_set_size(s->all, (guint)count);
    g_array_sort(s->all, in_order);
}

nytp_spans *nytp_spans_find(nytp_source *source, const nytp_filter_options *options)
{
    const nytp_filter_options before = {.process = options->process, .range = options->range};
    nytp_spans *s = g_new0(nytp_spans, 1);
    s->name = options->span;
    s->pattern = options->span != NULL ? g_pattern_spec_new(options->span) : NULL;
    s->all = g_array_new(FALSE, FALSE, sizeof(span));
    s->names = nytp_names_new();
    s->chosen = g_byte_array_new();
    s->others = g_string_new(NULL);
    s->levels = nytp_levels_new(sizeof(level));
    nytp_reader *reader = nytp_reader_new(nytp_source_borrow(source));
    if (reader != NULL && nytp_filters_attach(&before, reader) == 0)
        read_all(s, reader);
    nytp_reader_free(reader);
    keep_slowest(s, options->slowest);
    return s;
}

void nytp_spans_free(nytp_spans *spans)
{
    if (spans == NULL)
        return;
    if (spans->pattern != NULL)
        g_pattern_spec_free(spans->pattern);
    g_array_free(spans->all, TRUE);
    nytp_names_free(spans->names);
    g_byte_array_free(spans->chosen, TRUE);
    g_string_free(spans->others, TRUE);
    nytp_levels_free(&spans->levels);
    g_free(spans);
}

/* Spans that follow one another at once are one interval. */
static void add_interval(GArray *ends, double begin_ticks, double end_ticks)
{
    double *last = ends->len > 0 ? &g_array_index(ends, double, ends->len - 1) : NULL;
    if (last != NULL && begin_ticks <= *last) {
        *last = fmax(*last, end_ticks);
        return;
    }
    g_array_append_val(ends, begin_ticks);
    g_array_append_val(ends, end_ticks);
}

void nytp_spans_ends(const nytp_spans *spans, guint process, GArray *ends)
{
    guint least = 0, most = spans->all->len;
    while (least < most) {
        const guint middle = least + (most - least) / 2;
        if (g_array_index(spans->all, span, middle).process < process)
            least = middle + 1;
        else
            most = middle;
    }
    for (guint i = least; i < spans->all->len; i++) {
        const span *s = &g_array_index(spans->all, span, i);
        if (s->process != process)
            break;
        add_interval(ends, s->begin_ticks, s->begin_ticks + s->ticks);
    }
}

bool nytp_spans_have_call(nytp_spans *spans, uint64_t call)
{
    while (spans->asked < spans->all->len && g_array_index(spans->all, span, spans->asked).last_call < call)
        spans->asked++;
    return spans->asked < spans->all->len && g_array_index(spans->all, span, spans->asked).first_call <= call;
}

char *nytp_spans_missing(const nytp_spans *spans)
{
    const char *name = spans->name;
    return g_strdup_printf("no span%s%s%s%s%s", name != NULL ? " '" : "", name != NULL ? name : "",
                           name != NULL ? "'" : "", spans->others->len > 0 ? ", but " : "",
                           spans->others->str);
}
