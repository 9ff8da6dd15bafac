/* What the samples of each site have together, as a view asks for it. */
#pragma once

#include "memory/stream.h"

/* A sample that is live; a slot that is not in use has an amount of no samples. */
typedef struct nytp_memory_sample {
    nytp_sampled amount;
    double began_s;
    uint32_t site;
    bool is_new; /* since the begin of the view */
} nytp_memory_sample;

typedef struct nytp_memory_sums {
    nytp_memory_view view;
    GArray *sites;                  /* nytp_memory_site */
    nytp_memory_counted now, begin; /* begin: when the view began */
    double peak_bytes;
    uint32_t peak_number;
    double truth, truth_peak_bytes; /* what was taken */
    bool has_begun, is_taken;
} nytp_memory_sums;

static inline nytp_memory_site *nytp_memory_site_at(const nytp_memory_sums *sums, guint number)
{
    return &g_array_index(sums->sites, nytp_memory_site, number);
}

/* The view begins. */
void nytp_memory_sums_begin(nytp_memory_sums *sums);

/* What is live now may be the peak. */
void nytp_memory_sums_note_live(nytp_memory_sums *sums);

/* A sampled block was allocated, or was freed later_s seconds after that. */
void nytp_memory_sums_alloc(nytp_memory_sums *sums, const nytp_memory_sample *sample);
void nytp_memory_sums_free(nytp_memory_sums *sums, const nytp_memory_sample *sample, double later_s);

/* Samples without records have so much more: live, and all that were taken. */
void nytp_memory_sums_others(nytp_memory_sums *sums, const nytp_sampled *live, const nytp_sampled *all);

/* What was asked for is what it is now. What has come and gone at a line of a sub is one sum, whoever called
 * the sub. nodes: nytp_memory_node. */
void nytp_memory_sums_take(nytp_memory_sums *sums, const GArray *nodes);
