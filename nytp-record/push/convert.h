/* Makes what is sent of the profiles of an interval: a profile of pprof for each service, by nytp-pprof. */
#pragma once

#include "queue.h"

#include <glib.h>

/* Converts the record_profile_part of a batch, adds what is made to queue, and removes the profiles. Counts
 * what cannot be converted, which was said, as dropped. number: of the batch. */
void record_convert(const char *directory, uint64_t number, const GArray *parts, record_queue *queue);
