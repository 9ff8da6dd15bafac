#include "events/state.h"

#include "format/reader.h"
#include "format/tags.h"
#include "model/grow.h"

enum { MOST_DEPTH = 1 << 20 }; /* nytp-record reads fewer calls */

void nytp_want_samples(nytp_reader *reader)
{
    nytp_reader_add_tags(reader, NYTP_TIMES | NYTP_BIT(DISCOUNT) | NYTP_BIT(SUB_ENTRY));
}

void nytp_open_samples_init(nytp_open_samples *samples)
{
    *samples = (nytp_open_samples){0, NYTP_ZEROED_ARRAY(uint64_t)};
}

void nytp_open_samples_clear(nytp_open_samples *samples)
{
    g_array_free(samples->by_depth, TRUE);
}

void nytp_open_samples_reset(nytp_open_samples *samples)
{
    g_array_set_size(samples->by_depth, 0);
    samples->depth = 0;
}

void nytp_open_samples_enter(nytp_open_samples *samples)
{
    samples->depth++;
}

void nytp_open_samples_add(nytp_open_samples *samples, uint64_t count)
{
    if (samples->depth > MOST_DEPTH)
        return;
    if (samples->depth >= samples->by_depth->len)
        g_array_set_size(samples->by_depth, samples->depth + 1);
    g_array_index(samples->by_depth, uint64_t, samples->depth) += count;
}

uint64_t nytp_open_samples_leave(nytp_open_samples *samples, uint32_t depth)
{
    const bool has_any = depth < samples->by_depth->len;
    uint64_t count = has_any ? g_array_index(samples->by_depth, uint64_t, depth) : 0;
    if (has_any)
        g_array_set_size(samples->by_depth, depth);
    samples->depth = depth > 0 ? depth - 1 : 0;
    return count;
}
