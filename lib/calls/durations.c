#include "calls/durations.h"

#include "base/labels.h"

#include <math.h>

enum { PARTS = 64, OCTAVES = 64 };
static const double MOST_TICKS = 0x1p62;

/* The durations of a span. */
typedef struct histogram {
    uint64_t *octaves[OCTAVES]; /* PARTS counts each; NULL: all are 0 */
    uint64_t count;
    double longest_ticks;
} histogram;

struct nytp_durations {
    GPtrArray *of; /* histogram, by sub; NULL for subs that are not spans */
};

static void free_histogram(gpointer h)
{
    if (h == NULL)
        return;
    for (int i = 0; i < OCTAVES; i++)
        g_free(((histogram *)h)->octaves[i]);
    g_free(h);
}

nytp_durations *nytp_durations_new(void)
{
    nytp_durations *d = g_new(nytp_durations, 1);
    d->of = g_ptr_array_new_with_free_func(free_histogram);
    return d;
}

void nytp_durations_free(nytp_durations *durations)
{
    if (durations == NULL)
        return;
    g_ptr_array_free(durations->of, TRUE);
    g_free(durations);
}

static void learn_subs(nytp_durations *d, const nytp_names *names)
{
    for (uint32_t i = d->of->len; i < nytp_names_count(names); i++) {
        nytp_label label;
        const bool is_span =
            nytp_labels_split(NULL, nytp_names_get(names, i), &label) && label.kind == NYTP_LABEL_SPAN;
        g_ptr_array_add(d->of, is_span ? g_new0(histogram, 1) : NULL);
    }
}

/* Octave 0 has the durations below 1; octave n those from 2^(n - 1) on. */
static void add_to(histogram *h, double ticks)
{
    int octave = 0;
    const double fraction = ticks < 1 ? 0.5 + ticks / 2 : frexp(ticks, &octave);
    const int part = MIN((int)((fraction - 0.5) * 2 * PARTS), PARTS - 1);
    if (h->octaves[octave] == NULL)
        h->octaves[octave] = g_new0(uint64_t, PARTS);
    h->octaves[octave][part]++;
    h->count++;
    h->longest_ticks = fmax(h->longest_ticks, ticks);
}

void nytp_durations_add(nytp_durations *durations, const nytp_names *names, uint32_t sub, double ticks)
{
    if (sub >= durations->of->len)
        learn_subs(durations, names);
    histogram *h = g_ptr_array_index(durations->of, sub);
    if (h != NULL)
        add_to(h, fmin(fmax(ticks, 0), MOST_TICKS)); /* NaN becomes 0 */
}

/* The middle of a part. */
static double ticks_of(int octave, int part)
{
    const double within = (part + 0.5) / PARTS;
    return octave == 0 ? within : ldexp(1 + within, octave - 1);
}

double nytp_durations_quantile(const nytp_durations *durations, uint32_t sub, double fraction)
{
    const histogram *h = sub < durations->of->len ? g_ptr_array_index(durations->of, sub) : NULL;
    if (h == NULL || h->count == 0)
        return -1;
    const uint64_t rank = (uint64_t)fmax(ceil(fraction * (double)h->count), 1);
    uint64_t seen = 0;
    for (int i = 0; i < OCTAVES && rank < h->count; i++)
        for (int part = 0; h->octaves[i] != NULL && part < PARTS; part++)
            if ((seen += h->octaves[i][part]) >= rank)
                return fmin(ticks_of(i, part), h->longest_ticks);
    return h->longest_ticks;
}
