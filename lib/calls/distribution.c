#include "calls/durations.h"

#include "base/ticks.h"
#include "model/grow.h"

#include <math.h>

typedef struct nytp_distribution_block {
    uint64_t number;
    uint64_t *counts; /* NYTP_BLOCK_COUNTS */
} nytp_distribution_block;

void nytp_distribution_init(nytp_distribution *distribution, enum nytp_distribution_parts parts)
{
    *distribution = (nytp_distribution){.recent_number = NYTP_NO_BLOCK, .parts = (uint8_t)parts};
}

static nytp_distribution_block *block_at(const nytp_distribution *d, guint i)
{
    return &g_array_index(d->blocks, nytp_distribution_block, i);
}

static guint block_count(const nytp_distribution *d)
{
    return d->blocks != NULL ? d->blocks->len : 0;
}

void nytp_distribution_clear(nytp_distribution *distribution)
{
    for (guint i = 0; i < block_count(distribution); i++)
        g_free(block_at(distribution, i)->counts);
    if (distribution->blocks != NULL)
        g_array_free(distribution->blocks, TRUE);
}

/* Returns the counts of a block, which may be new. */
static uint64_t *counts_of(nytp_distribution *d, uint64_t number)
{
    guint i = 0;
    while (i < block_count(d) && block_at(d, i)->number < number)
        i++;
    if (i < block_count(d) && block_at(d, i)->number == number)
        return block_at(d, i)->counts;
    const nytp_distribution_block new = {number, g_new0(uint64_t, NYTP_BLOCK_COUNTS)};
    if (d->blocks == NULL)
        d->blocks = g_array_new(FALSE, FALSE, sizeof new);
    g_array_insert_val(d->blocks, i, new);
    return new.counts;
}

/* Adds calls to a part. Returns the counts of its block, or NULL if it is the only call. */
static uint64_t *add_to_part(nytp_distribution *d, uint64_t part, uint64_t calls)
{
    if (calls == 1 && nytp_distribution_is_empty(d)) {
        d->only_part = part + 1;
        return NULL;
    }
    const uint64_t only_part = d->only_part;
    d->only_part = 0;
    if (only_part != 0)
        counts_of(d, (only_part - 1) / NYTP_BLOCK_COUNTS)[(only_part - 1) % NYTP_BLOCK_COUNTS] = 1;
    uint64_t *counts = counts_of(d, part / NYTP_BLOCK_COUNTS);
    counts[part % NYTP_BLOCK_COUNTS] += calls;
    return counts;
}

void nytp_distribution_add(nytp_distribution *distribution, double ticks)
{
    nytp_distribution *d = distribution;
    ticks = fmin(fmax(ticks, 0), NYTP_MOST_TICKS); /* NaN becomes 0 */
    d->longest_ticks = fmax(d->longest_ticks, ticks);
    const uint64_t part = nytp_duration_part(ticks, d->parts), number = part / NYTP_BLOCK_COUNTS;
    const bool has_longest = nytp_duration_part(d->longest_ticks, d->parts) / NYTP_BLOCK_COUNTS == number;
    d->recent_counts = add_to_part(d, part, 1);
    d->recent_number = d->parts == NYTP_16_PARTS && !has_longest ? number : NYTP_NO_BLOCK;
}

/* The duration at which a part begins. */
static double begin_of(const nytp_distribution *d, uint64_t part)
{
    const uint64_t bits = part << (NYTP_FRACTION_BITS - d->parts);
    double more;
    memcpy(&more, &bits, sizeof more);
    return more - (double)(1u << d->parts);
}

static nytp_duration_range range_of(const nytp_distribution *d, uint64_t part, uint64_t calls)
{
    return (nytp_duration_range){begin_of(d, part), begin_of(d, part + 1), calls};
}

bool nytp_distribution_next(const nytp_distribution *distribution, uint64_t *at, nytp_duration_range *range)
{
    if (distribution->only_part != 0) {
        *range = range_of(distribution, distribution->only_part - 1, 1);
        return (*at)++ == 0;
    }
    for (; *at / NYTP_BLOCK_COUNTS < block_count(distribution); ++*at) {
        const nytp_distribution_block *block = block_at(distribution, (guint)(*at / NYTP_BLOCK_COUNTS));
        const uint64_t k = *at % NYTP_BLOCK_COUNTS, part = block->number * NYTP_BLOCK_COUNTS + k;
        if (block->counts[k] == 0)
            continue;
        *range = range_of(distribution, part, block->counts[k]);
        ++*at;
        return true;
    }
    return false;
}

/* Gives a distribution 16 parts. Each is 4 of 64. */
static void make_coarse(nytp_distribution *d)
{
    nytp_distribution coarse;
    nytp_distribution_init(&coarse, NYTP_16_PARTS);
    nytp_distribution_add_all(&coarse, d);
    nytp_distribution_clear(d);
    *d = coarse;
}

void nytp_distribution_add_all(nytp_distribution *distribution, const nytp_distribution *other)
{
    nytp_duration_range range;
    if (distribution->parts > other->parts)
        make_coarse(distribution);
    for (uint64_t at = 0; nytp_distribution_next(other, &at, &range);)
        add_to_part(distribution, nytp_duration_part(range.from_ticks, distribution->parts), range.calls);
    distribution->longest_ticks = fmax(distribution->longest_ticks, other->longest_ticks);
    distribution->first_ticks = fmax(distribution->first_ticks, other->first_ticks);
    distribution->sum_first_ticks += other->sum_first_ticks;
    distribution->first_count += other->first_count;
    distribution->is_around |= other->is_around;
    nytp_distribution_forget_recent(distribution);
}

uint64_t nytp_distribution_count(const nytp_distribution *distribution)
{
    uint64_t count = 0;
    nytp_duration_range range;
    for (uint64_t at = 0; nytp_distribution_next(distribution, &at, &range);)
        count += range.calls;
    return count;
}

/* The middle of the whole ticks in a range. */
static double middle_of(const nytp_duration_range *range)
{
    return (range->from_ticks + range->to_ticks - 1) / 2;
}

double nytp_distribution_quantile(const nytp_distribution *distribution, double fraction)
{
    const uint64_t count = nytp_distribution_count(distribution);
    const uint64_t rank = (uint64_t)fmax(ceil(fraction * (double)count), 1);
    nytp_duration_range range;
    uint64_t seen = 0;
    for (uint64_t at = 0; rank < count && nytp_distribution_next(distribution, &at, &range);)
        if ((seen += range.calls) >= rank)
            return fmin(middle_of(&range), distribution->longest_ticks);
    return count > 0 ? distribution->longest_ticks : -1;
}

double nytp_distribution_get(const nytp_distribution *distribution, enum nytp_duration duration)
{
    static const double fractions[NYTP_DURATIONS] = {
        [NYTP_P50] = 0.5, [NYTP_P95] = 0.95, [NYTP_P99] = 0.99, [NYTP_LONGEST] = 1};
    if (!nytp_distribution_is_empty(distribution) && duration == NYTP_FIRST)
        return distribution->first_ticks;
    return nytp_distribution_quantile(distribution, fractions[duration]);
}

static void clear_distribution(gpointer distribution)
{
    nytp_distribution_clear(distribution);
}

GArray *nytp_distributions_new(guint count)
{
    GArray *all = NYTP_ARRAY(nytp_distribution);
    g_array_set_clear_func(all, clear_distribution);
    g_array_set_size(all, count);
    for (guint i = 0; i < count; i++)
        nytp_distribution_init(&g_array_index(all, nytp_distribution, i), NYTP_64_PARTS);
    return all;
}
