#include "memory/sums.h"

#include "base/order.h"
#include "model/group.h"

#include <math.h>

/* Whether the view has what was live when it began. */
static bool has_what_was(const nytp_memory_sums *sums)
{
    return sums->view.of == NYTP_MEMORY_LIVE || sums->view.of == NYTP_MEMORY_PEAK ||
           sums->view.of == NYTP_MEMORY_HELD;
}

/* A site keeps what it had at the peak when that changes. */
static void change(const nytp_memory_sums *sums, uint32_t number, const nytp_sampled *by, int sign)
{
    nytp_memory_site *site = nytp_memory_site_at(sums, number);
    if (site->peak_number != sums->peak_number)
        site->peak = site->now;
    site->peak_number = sums->peak_number;
    nytp_sampled_add(&site->now, by, sign);
}

void nytp_memory_sums_note_live(nytp_memory_sums *sums)
{
    if (!sums->has_begun || sums->now.live <= sums->peak_bytes)
        return;
    sums->peak_bytes = sums->now.live;
    sums->peak_number++;
}

void nytp_memory_sums_begin(nytp_memory_sums *sums)
{
    sums->has_begun = true;
    sums->is_taken = false;
    sums->begin = sums->now;
    if (sums->view.of == NYTP_MEMORY_PEAK) {
        sums->peak_bytes = sums->now.live;
        sums->peak_number++;
    }
    for (guint i = 0; i < sums->sites->len && !has_what_was(sums); i++)
        nytp_memory_site_at(sums, i)->now = (nytp_sampled){0};
}

void nytp_memory_sums_alloc(nytp_memory_sums *sums, const nytp_memory_sample *sample)
{
    const bool counts = sample->is_new ? sums->view.of != NYTP_MEMORY_TEMPORARY : has_what_was(sums);
    if (counts)
        change(sums, sample->site, &sample->amount, 1);
}

void nytp_memory_sums_free(nytp_memory_sums *sums, const nytp_memory_sample *sample, double later_s)
{
    const double short_s = 1e-3;
    nytp_sampled amount = sample->amount;
    switch (sums->view.of) {
    case NYTP_MEMORY_ALLOC: return;
    case NYTP_MEMORY_TEMPORARY:
        if (sample->is_new && later_s <= short_s)
            change(sums, sample->site, &amount, 1);
        return;
    case NYTP_MEMORY_GROWN:
        if (!sums->has_begun)
            return;
        if (!sample->is_new) { /* a difference has the variances and samples of both sides */
            amount.variance = -amount.variance;
            amount.samples = -amount.samples;
        }
        break;
    case NYTP_MEMORY_LIVE:
    case NYTP_MEMORY_HELD:
    case NYTP_MEMORY_PEAK: break;
    }
    change(sums, sample->site, &amount, -1);
}

void nytp_memory_sums_others(nytp_memory_sums *sums, const nytp_sampled *live, const nytp_sampled *all)
{
    nytp_sampled amount = sums->view.of == NYTP_MEMORY_ALLOC ? *all : *live;
    if (sums->view.of == NYTP_MEMORY_GROWN)
        amount.variance = fabs(amount.variance);
    if (sums->view.of != NYTP_MEMORY_TEMPORARY && (sums->has_begun || has_what_was(sums)))
        change(sums, 0, &amount, 1);
}

/* ---- what is taken */

typedef struct places {
    const nytp_memory_sums *sums;
    const GArray *nodes;
} places;

static int by_place(const void *a, const void *b, void *context)
{
    const places *p = context;
    const nytp_memory_site *x = nytp_memory_site_at(p->sums, *(const uint32_t *)a),
                           *y = nytp_memory_site_at(p->sums, *(const uint32_t *)b);
    return nytp_order4(NYTP_ORDER(g_array_index(p->nodes, nytp_memory_node, x->node).name,
                                  g_array_index(p->nodes, nytp_memory_node, y->node).name),
                       NYTP_ORDER(x->kind, y->kind), NYTP_ORDER(x->file, y->file),
                       NYTP_ORDER(x->line, y->line));
}

/* Divides a sum among the sites that have more, or gives it to the first one. */
static void divide(const places *p, const uint32_t *sites, guint count, const nytp_sampled *sum)
{
    double more = 0;
    for (guint i = 0; i < count; i++)
        more += fmax(nytp_memory_site_at(p->sums, sites[i])->taken.bytes, 0);
    for (guint i = 0; i < count; i++) {
        nytp_sampled *taken = &nytp_memory_site_at(p->sums, sites[i])->taken;
        const double share = sum->bytes > 0 ? fmax(taken->bytes, 0) / more : i == 0;
        *taken = (nytp_sampled){sum->bytes * share, sum->blocks * share, sum->variance * share,
                                llround((double)sum->samples * share)};
    }
}

static void join_places(places *p)
{
    const guint count = p->sums->sites->len;
    g_autofree uint32_t *order = nytp_group_order(count, by_place, p);
    for (guint i = 0, end; i < count; i = end) {
        nytp_sampled sum = {0};
        for (end = i; end < count && by_place(&order[i], &order[end], p) == 0; end++)
            nytp_sampled_add(&sum, &nytp_memory_site_at(p->sums, order[end])->taken, 1);
        divide(p, order + i, end - i, &sum);
    }
}

void nytp_memory_sums_take(nytp_memory_sums *sums, const GArray *nodes)
{
    places p = {sums, nodes};
    const nytp_memory_counted *now = &sums->now, *begin = &sums->begin;
    for (guint i = 0; i < sums->sites->len; i++) {
        nytp_memory_site *site = nytp_memory_site_at(sums, i);
        const bool has_peak = sums->view.of == NYTP_MEMORY_PEAK && site->peak_number == sums->peak_number;
        site->taken = has_peak ? site->peak : site->now;
    }
    sums->truth = sums->view.of == NYTP_MEMORY_PEAK    ? sums->peak_bytes
                  : sums->view.of == NYTP_MEMORY_ALLOC ? now->given - begin->given
                  : sums->view.of == NYTP_MEMORY_GROWN ? now->live - begin->live
                                                       : now->live;
    if (sums->view.of == NYTP_MEMORY_GROWN)
        join_places(&p);
    sums->truth_peak_bytes = sums->peak_bytes;
    sums->is_taken = true;
}
