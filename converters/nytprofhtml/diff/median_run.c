#include "../reading.h"

#include "base/order.h"
#include "cli/read.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

static bool can_be_read_twice(const nytp_operands *runs)
{
    for (int i = 0; i < runs->count; i++)
        if (!nytp_can_be_read_again(runs->names[i]))
            return false;
    return true;
}

/* Returns the time of all profiles of a file, or infinity if it cannot be read. */
static double seconds_of(const char *path, const nytp_common_options *common)
{
    nytp_reader *reader = nytp_read_open(nytp_source_file(path), common, nytp_profile_tags());
    double sum = 0;
    if (reader == NULL)
        return INFINITY;
    int rc = NYTP_OK;
    while (rc == NYTP_OK) {
        nytp_profile *profile = nytp_profile_new();
        nytp_reader_set_tags(reader, nytp_profile_tags());
        while ((rc = nytp_profile_read(profile, reader)) == NYTP_OK) {
        }
        const nytp_totals totals = nytp_profile_totals(profile);
        sum += (double)totals.whole_ticks / nytp_profile_ticks_per_sec(profile);
        nytp_profile_free(profile);
        uint64_t offset;
        if (rc >= 0)
            rc = nytp_reader_next_profile(reader, &offset);
    }
    nytp_reader_free(reader);
    return rc < 0 || sum <= 0 ? INFINITY : sum;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return NYTP_ORDER(x, y);
}

/* The median of an even number is between two. Times that are not known are last. */
static double median_of(const double *times, int count)
{
    g_autofree double *sorted = g_memdup2(times, (size_t)count * sizeof *times);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_times);
    while (count > 1 && isinf(sorted[count - 1]))
        count--;
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

int html_median_run(const nytp_operands *runs, const nytp_common_options *common)
{
    if (runs->count < 3 || !can_be_read_twice(runs))
        return 0;
    g_autofree double *times = g_new(double, (size_t)runs->count);
    int nearest = 0;
    for (int i = 0; i < runs->count; i++)
        times[i] = seconds_of(runs->names[i], common);
    const double median = median_of(times, runs->count);
    for (int i = 1; i < runs->count; i++)
        if (fabs(times[i] - median) < fabs(times[nearest] - median))
            nearest = i;
    return nearest;
}
