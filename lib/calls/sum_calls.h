/* The last filter of a profile of which only a part is left: sums up the calls of that part, and passes on
 * what it takes. At the end come the sums, as SUB_CALLERS, in place of those that the profile has. */
#pragma once

#include "events/filter.h"
#include "model/names.h"
#include "nytprof-model.h"

/* nytp_filter_options.sums, which nytp_filters_attach() takes. */
nytp_filter *nytp_sum_calls_new(void);

/* Calls add for each SUB_CALLERS that an arc needs: each counts at most UINT32_MAX calls. */
void nytp_arc_chunks(const nytp_arc *arc, const nytp_names *names, double ticks_per_sec,
                     void (*add)(void *context, const nytp_chunk *chunk), void *context);
