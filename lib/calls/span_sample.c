#include "calls/span_sample.h"

#include "base/order.h"
#include "model/grow.h"
#include "model/names.h"

/* A span, and what says whether it is in the sample. */
typedef struct candidate {
    nytp_kept_span span;
    uint64_t lot; /* as if at random, by its number; those with the lowest are in the sample */
} candidate;

struct nytp_span_sample {
    size_t most;
    nytp_names *names;
    GArray *candidates; /* twice as many as are kept, and then the half of them */
    uint64_t most_lot;  /* a span with a higher one is kept only as one of the slowest */
    GArray *least_s;    /* by name: what one of the slowest takes at least, as far as they were divided */
    uint64_t total;
    GArray *kept; /* NULL until they are asked for */
};

nytp_span_sample *nytp_span_sample_new(size_t most)
{
    nytp_span_sample *s = g_new0(nytp_span_sample, 1);
    s->most = most;
    s->names = nytp_names_new();
    s->candidates = NYTP_ARRAY(candidate);
    s->most_lot = UINT64_MAX;
    s->least_s = NYTP_ZEROED_ARRAY(double);
    return s;
}

void nytp_span_sample_free(nytp_span_sample *sample)
{
    if (sample == NULL)
        return;
    nytp_names_free(sample->names);
    g_array_unref(sample->candidates);
    g_array_unref(sample->least_s);
    g_clear_pointer(&sample->kept, g_array_unref);
    g_free(sample);
}

/* The output function of SplitMix64 (Steele, Lea, Flood 2014), which is a bijection. */
static uint64_t lot_of(uint64_t number)
{
    uint64_t z = (number + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static gint by_name_slowest_first(gconstpointer x, gconstpointer y)
{
    const nytp_kept_span *a = &((const candidate *)x)->span, *b = &((const candidate *)y)->span;
    return nytp_order3(NYTP_ORDER(a->name, b->name), NYTP_ORDER(b->latency_s, a->latency_s),
                       NYTP_ORDER(a->number, b->number));
}

static gint by_lot(gconstpointer x, gconstpointer y)
{
    return NYTP_ORDER(((const candidate *)x)->lot, ((const candidate *)y)->lot);
}

size_t nytp_span_sample_slowest(const nytp_span_sample *sample)
{
    const size_t names = MAX(nytp_names_count(sample->names), 1);
    return MIN((size_t)NYTP_SLOWEST_SPANS, sample->most / 2 / names);
}

/* Moves those that are not among the slowest of their name to others. */
static void divide(nytp_span_sample *s, GArray *others)
{
    const size_t slowest = nytp_span_sample_slowest(s);
    size_t rank = 0;
    guint left = 0;
    g_array_set_size(s->least_s, nytp_names_count(s->names));
    g_array_sort(s->candidates, by_name_slowest_first);
    for (guint i = 0; i < s->candidates->len; i++) {
        const candidate one = g_array_index(s->candidates, candidate, i);
        rank =
            i > 0 && left > 0 && g_array_index(s->candidates, candidate, left - 1).span.name == one.span.name
                ? rank + 1
                : 0;
        if (rank + 1 == slowest)
            g_array_index(s->least_s, double, one.span.name) = one.span.latency_s;
        if (rank < slowest)
            g_array_index(s->candidates, candidate, left++) = one;
        else if (one.lot <= s->most_lot)
            g_array_append_val(others, one);
    }
    g_array_set_size(s->candidates, left);
}

/* Keeps at most as many as there may be. */
static void reduce(nytp_span_sample *s)
{
    g_autoptr(GArray) others = NYTP_ARRAY(candidate);
    divide(s, others);
    const size_t room = s->most - s->candidates->len;
    if (others->len > room) {
        g_array_sort(others, by_lot);
        s->most_lot = room > 0 ? g_array_index(others, candidate, room - 1).lot : 0;
        g_array_set_size(others, (guint)room);
    }
    g_array_append_vals(s->candidates, others->data, others->len);
}

/* Whether the next reduce() would leave it out. It need not be sorted then, as nearly all of many spans. */
static bool is_left_out(const nytp_span_sample *s, const candidate *one)
{
    return one->lot > s->most_lot && one->span.name < s->least_s->len &&
           one->span.latency_s <= g_array_index(s->least_s, double, one->span.name);
}

void nytp_span_sample_add(void *context, const nytp_span_time *span)
{
    nytp_span_sample *s = context;
    const candidate added = {.span = {.name = nytp_names_intern(s->names, &span->name, NULL),
                                      .process = span->process,
                                      .begin_s = span->begin_s,
                                      .latency_s = span->latency_s,
                                      .work_s = span->work_s,
                                      .asleep_s = span->asleep_s,
                                      .queued_s = span->queued_s,
                                      .between = span->between,
                                      .parts = span->parts,
                                      .number = s->total},
                             .lot = lot_of(s->total)};
    s->total++;
    if (is_left_out(s, &added))
        return;
    g_array_append_val(s->candidates, added);
    if (s->candidates->len >= 2 * s->most)
        reduce(s);
}

static gint by_begin(gconstpointer x, gconstpointer y)
{
    const nytp_kept_span *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(a->begin_s, b->begin_s), NYTP_ORDER(a->number, b->number));
}

const GArray *nytp_span_sample_get(nytp_span_sample *sample)
{
    nytp_span_sample *s = sample;
    if (s->kept != NULL)
        return s->kept;
    if (s->candidates->len > s->most)
        reduce(s);
    s->kept = g_array_sized_new(FALSE, FALSE, sizeof(nytp_kept_span), s->candidates->len);
    NYTP_EACH(const candidate, c, s->candidates)
        g_array_append_val(s->kept, c->span);
    g_array_sort(s->kept, by_begin);
    return s->kept;
}

uint64_t nytp_span_sample_total(const nytp_span_sample *sample)
{
    return sample->total;
}

nytp_str nytp_span_sample_name(const nytp_span_sample *sample, uint32_t number)
{
    return nytp_names_get(sample->names, number);
}
