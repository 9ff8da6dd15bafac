/* Profiles that an earlier run left: FILE.PID among those that are merged, whose last process ended before
 * the first one of FILE began. */
#pragma once

#include "inputs.h"

typedef struct merge_earlier merge_earlier;

/* For this number of inputs. */
merge_earlier *merge_earlier_new(size_t inputs);
void merge_earlier_free(merge_earlier *earlier);

/* Note that a process of an input begins, or ends. Seconds since 1970. */
void merge_earlier_begin(merge_earlier *earlier, size_t input, double start_s);
void merge_earlier_end(merge_earlier *earlier, size_t input, double end_s);

/* Says so if there are such profiles. */
void merge_earlier_warn(const merge_earlier *earlier, const merge_inputs *inputs);
