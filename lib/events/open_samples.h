/* The samples of the calls that go on, going by SUB_ENTRY and SUB_RETURN, in profiles made of samples
 * (measure.h). */
#pragma once

#include "nytprof.h"

#include <glib.h>

/* Adds to the reader's tags those that are needed to count samples. Call it when the attribute has been read.
 */
void nytp_want_samples(nytp_reader *reader);

typedef struct nytp_open_samples {
    uint32_t depth;   /* how many calls go on */
    GArray *by_depth; /* uint64_t: those of the call itself, without its callees'; 0: outside of all calls */
} nytp_open_samples;

void nytp_open_samples_init(nytp_open_samples *samples);
void nytp_open_samples_clear(nytp_open_samples *samples);
void nytp_open_samples_reset(nytp_open_samples *samples); /* a process begins */
void nytp_open_samples_enter(nytp_open_samples *samples);
/* Drops samples of more than a million calls: only damaged profiles have these. */
void nytp_open_samples_add(nytp_open_samples *samples, uint64_t count);

/* The call at depth, counted from 1, returns: returns its samples. Deeper calls have not returned: theirs are
 * dropped. */
uint64_t nytp_open_samples_leave(nytp_open_samples *samples, uint32_t depth);
