/* How long calls took: their number by duration, from which quantiles are found.
 *
 * It is a log-linear histogram: powers of two, each in 16 or 64 equal parts, but none of less than a tick. So
 * its size depends on how much durations differ, not on how many they are. Of durations in whole ticks, a
 * quantile is at most 3.2 % or 0.8 % too long or too short; of others, half a tick more. The longest duration
 * and the first are exact.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Parts of a power of two, as a power of two. */
enum nytp_distribution_parts { NYTP_16_PARTS = 4, NYTP_64_PARTS = 6 };

typedef struct nytp_distribution {
    /* The block that counted last, and its number, which is the exponent of its durations. NYTP_NO_BLOCK if
     * the longest duration belongs to it, since the next call may be longer, and if it has other parts than
     * 16. */
    uint64_t *recent_counts;
    uint64_t recent_number;
    GArray *blocks; /* nytp_distribution_block, by number; NULL before the second call */
    double longest_ticks;
    double first_ticks;     /* the longest of the first calls of all processes */
    double sum_first_ticks; /* of these calls */
    uint32_t first_count;   /* and how many they are */
    uint8_t parts;          /* enum nytp_distribution_parts */
    bool is_around;         /* one of the calls has all other calls of its process in it */
    uint64_t only_part;     /* of the only call, which needs no block, and 1; else 0 */
} nytp_distribution;        /* an array of them is faster since their size is a power of two */

#define NYTP_NO_BLOCK UINT64_MAX

enum { NYTP_BLOCK_COUNTS = 16 };

void nytp_distribution_init(nytp_distribution *distribution, enum nytp_distribution_parts parts);
void nytp_distribution_clear(nytp_distribution *distribution);

enum { NYTP_FRACTION_BITS = 52 };

/* Returns the number of the part to which a duration belongs. The bits of a double are its exponent and then
 * its fraction, so the upper ones number parts of powers of two in their order. With as many ticks more as
 * there are parts, the first part is one tick, and its number is less than those of longer durations. */
static inline uint64_t nytp_duration_part(double ticks, unsigned parts)
{
    const double more = ticks + (double)(1u << parts);
    uint64_t bits;
    memcpy(&bits, &more, sizeof bits);
    return bits >> (NYTP_FRACTION_BITS - parts);
}

static inline bool nytp_distribution_is_empty(const nytp_distribution *distribution)
{
    return distribution->blocks == NULL && distribution->only_part == 0;
}

/* Adds a call if it belongs to the block that counted last; returns whether it does. */
static inline bool nytp_distribution_add_recent(nytp_distribution *distribution, double ticks)
{
    const uint64_t part = nytp_duration_part(ticks, NYTP_16_PARTS);
    if (part / NYTP_BLOCK_COUNTS != distribution->recent_number)
        return false;
    distribution->recent_counts[part % NYTP_BLOCK_COUNTS]++;
    return true;
}

/* Adds a call. What is not a number, or below 0, counts as 0. */
void nytp_distribution_add(nytp_distribution *distribution, double ticks);

/* The next call is not added by nytp_distribution_add_recent(). */
static inline void nytp_distribution_forget_recent(nytp_distribution *distribution)
{
    distribution->recent_number = NYTP_NO_BLOCK;
}

/* Adds the calls of another one. The sum has the fewer parts of both. */
void nytp_distribution_add_all(nytp_distribution *distribution, const nytp_distribution *other);

/* Returns how many calls were added. */
uint64_t nytp_distribution_count(const nytp_distribution *distribution);

/* Returns the duration that the fraction (0 to 1) of the calls do not exceed: 0.5 is the median, 1 is the
 * longest. Returns -1 if there are none. */
double nytp_distribution_quantile(const nytp_distribution *distribution, double fraction);

/* What is shown of a distribution. */
enum nytp_duration { NYTP_P50, NYTP_P95, NYTP_P99, NYTP_LONGEST, NYTP_FIRST, NYTP_DURATIONS };

/* Their names: "p50", "p95", "p99", "max", "first". NULL ends them. */
extern const char *const nytp_duration_names[NYTP_DURATIONS + 1];

/* Returns one of them in ticks; -1 if there are no calls. */
double nytp_distribution_get(const nytp_distribution *distribution, enum nytp_duration duration);

/* Calls that took from from_ticks on and less than to_ticks. */
typedef struct nytp_duration_range {
    double from_ticks, to_ticks;
    uint64_t calls;
} nytp_duration_range;

/* Sets *range to the next one that has calls, and *at, which begins at 0, to a later one. Returns false at
 * the end. */
bool nytp_distribution_next(const nytp_distribution *distribution, uint64_t *at, nytp_duration_range *range);

/* Returns an array of nytp_distribution without calls, which can be added to by nytp_distribution_add_all()
 * alone. The caller must free it by g_array_unref(). */
GArray *nytp_distributions_new(guint count);
