#include "convert.h"

#include "batch.h"

#include "cli/sibling.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

static const record_profile_part *part_at(const GArray *parts, guint n)
{
    return &g_array_index(parts, record_profile_part, n);
}

static bool is_first_of_series(const GArray *parts, guint n)
{
    for (guint i = 0; i < n; i++)
        if (g_strcmp0(part_at(parts, i)->series, part_at(parts, n)->series) == 0)
            return false;
    return true;
}

/* The arguments of nytp-pprof: the profiles of a series. Sets what the profile covers. */
static GPtrArray *arguments_of(const GArray *parts, guint first, record_waiting *profile)
{
    GPtrArray *arguments = g_ptr_array_new();
    g_ptr_array_add(arguments, "nytp-pprof");
    g_ptr_array_add(arguments, "--pyroscope");
    g_ptr_array_add(arguments, "-o");
    g_ptr_array_add(arguments, profile->path);
    for (guint n = first; n < parts->len; n++) {
        const record_profile_part *part = part_at(parts, n);
        if (g_strcmp0(part->series, profile->series) != 0)
            continue;
        g_ptr_array_add(arguments, part->path);
        profile->samples += part->samples;
        profile->from_s = MIN(profile->from_s, part->from_s);
        profile->until_s = MAX(profile->until_s, part->until_s);
    }
    g_ptr_array_add(arguments, NULL);
    return arguments;
}

static void convert_series(const char *directory, uint64_t number, const GArray *parts, guint first,
                           record_queue *queue)
{
    struct stat st;
    record_waiting profile = {.path = g_strdup_printf("%s/%" PRIu64 ".%u.pb.gz", directory, number, first),
                              .series = g_strdup(part_at(parts, first)->series),
                              .from_s = INT64_MAX};
    GPtrArray *arguments = arguments_of(parts, first, &profile);
    if (nytp_sibling_run((const char *const *)arguments->pdata) && stat(profile.path, &st) == 0) {
        profile.bytes = (uint64_t)st.st_size;
        record_queue_add(queue, &profile);
    } else {
        record_queue_count_dropped(queue, profile.samples);
        g_free(profile.path);
        g_free(profile.series);
    }
    g_ptr_array_free(arguments, TRUE);
}

void record_convert(const char *directory, uint64_t number, const GArray *parts, record_queue *queue)
{
    for (guint n = 0; n < parts->len; n++)
        if (is_first_of_series(parts, n))
            convert_series(directory, number, parts, n, queue);
    for (guint n = 0; n < parts->len; n++)
        unlink(part_at(parts, n)->path);
}
