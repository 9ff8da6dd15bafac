/* What the ticks of a profile measure: time, unless the attribute unit names something else, and whether
 * they were measured or are those of samples.
 *
 * The attribute sampled_hz, which nytp-record writes, says how many samples were to be taken in a second.
 * Each sample is a statement of the profile: the number of statements, of the profile or of a line, is that
 * of its samples. Call trees count the samples of each stack (nytp_calltree_set_sampled()). Arcs do not count
 * any, so the samples of a sub or an arc are its share of the profile's. A sample stands for the time since
 * the one before it, which is seldom exactly that of the rate.
 *
 * In a profile of memory (format/memory.h) a sample stands for many blocks, so blocks are counted in place of
 * samples, and the attribute sampled_bytes says how many bytes there are between two samples.
 *
 * All that programs print of a measure is in its row of measure.c: names of units, nouns, columns. */
#pragma once

#include "nytprof-model.h"

#include "base/str.h"
#include "format/memory.h"

#include <math.h>

/* What profiles of memory say of themselves, added up. */
typedef struct nytp_memory_about {
    double samples;
    double peak_bytes;                    /* of the processes: the sum of their peaks */
    unsigned peaks;                       /* of how many profiles that is the sum */
    double values[NYTP_VALUE_TYPE_COUNT]; /* live ones; of the parts that say it */
    char of[16];                          /* "live", "peak" or "alloc"; empty if not known */
} nytp_memory_about;

/* Takes what an attribute says. */
void nytp_memory_about_note(nytp_memory_about *about, nytp_str key, nytp_str value);

/* Returns "live memory", "memory at the peak" and so on, given what memory_of says; "memory" if that is not
 * known. */
const char *nytp_memory_in_words(const char *memory_of);

/* A unit in which amounts are printed. */
typedef struct nytp_unit {
    const char *name;    /* "ms" */
    const char *in_full; /* "milliseconds" */
    double per_base;     /* how many are one of the measure's base unit, such as 1000 */
    bool for_averages;   /* sums are not printed in it: it is less than what is measured */
} nytp_unit;

enum { NYTP_MEASURE_UNITS = 5 /* of one measure, at most */ };

typedef struct nytp_measure {
    const char *noun;                    /* "time" */
    const char *title;                   /* "Time" */
    nytp_unit units[NYTP_MEASURE_UNITS]; /* from the largest; unused ones have no name */
    double ticks_per_base;
    double samples_per_base; /* 0: it was measured; else calls were not counted */
} nytp_measure;

/* Returns what an attribute of a profile says, which ends with a NUL; "" if it has none of that name. */
nytp_str nytp_profile_attribute(const nytp_profile *profile, const char *key);

/* Returns the measure of a profile that has no attributes. */
nytp_measure nytp_measure_new(void);

/* Takes what an attribute of a profile says about its ticks. Values that make no sense change nothing. */
void nytp_measure_note(nytp_measure *measure, nytp_str key, nytp_str value);

/* Returns what the ticks of a profile measure. */
nytp_measure nytp_profile_measure(const nytp_profile *profile);

/* Returns whether the profile was recorded with a clock of processor time. */
bool nytp_profile_has_cpu_clock(const nytp_profile *profile);

bool nytp_measure_is_time(const nytp_measure *measure);
bool nytp_measure_is_bytes(const nytp_measure *measure);

/* Returns the unit of that name; "ticks" is one of each measure. If the measure has none of that name,
 * returns its base unit. */
nytp_unit nytp_measure_unit(const nytp_measure *measure, const char *name);

/* Returns the unit of which each of the others is a part or a multiple: the second. */
const nytp_unit *nytp_measure_base(const nytp_measure *measure);

/* Returns the smallest unit. */
const nytp_unit *nytp_measure_smallest(const nytp_measure *measure);

/* Returns how many decimals an amount in a unit has that shows one tick or, of samples, one sample. */
int nytp_measure_decimals(const nytp_measure *measure, const nytp_unit *unit);

/* Bytes are always those of samples, also if it is not known how many were taken. */
static inline bool nytp_measure_is_sampled(const nytp_measure *measure)
{
    return measure->samples_per_base > 0 || nytp_measure_is_bytes(measure);
}

/* Returns whether nothing but samples was counted, so that how many a sub or an arc has follows from its
 * share of the time. Of memory, blocks were counted. */
static inline bool nytp_measure_counts_samples(const nytp_measure *measure)
{
    return nytp_measure_is_sampled(measure) && !nytp_measure_is_bytes(measure);
}

/* Return what is counted beside amounts: "call", "sample" or "block", and "calls" and so on. */
static inline const char *nytp_measure_counted(const nytp_measure *measure)
{
    return nytp_measure_is_bytes(measure) ? "block" : nytp_measure_is_sampled(measure) ? "sample" : "call";
}

static inline const char *nytp_measure_count(const nytp_measure *measure)
{
    return nytp_measure_is_bytes(measure) ? "blocks" : nytp_measure_is_sampled(measure) ? "samples" : "calls";
}

/* Returns how many ticks one of the unit is. */
static inline double nytp_measure_ticks(const nytp_measure *measure, const nytp_unit *unit)
{
    return measure->ticks_per_base / unit->per_base;
}

/* Returns the share of the profile's samples that an amount has, given the profile's totals. */
static inline uint64_t nytp_samples_of(double ticks, const nytp_totals *totals)
{
    double samples = round(ticks * (double)totals->statements / (double)totals->statement_ticks);
    return samples > 0 && samples < 0x1p63 ? (uint64_t)samples : 0;
}
