#include "model/levels.h"

#include "base/ticks.h"

#include <glib.h>

nytp_records *nytp_levels_new(void)
{
    nytp_records *levels = g_new0(nytp_records, 1);
    nytp_records_init(levels, sizeof(nytp_level), offsetof(nytp_level, count));
    return levels;
}

void nytp_levels_free(nytp_records *levels)
{
    if (levels == NULL)
        return;
    nytp_records_clear(levels);
    g_free(levels);
}

static void join(void *into, const void *record)
{
    nytp_level *sum = into;
    const nytp_level *more = record;
    sum->count += more->count;
    sum->ticks = nytp_add_ticks(sum->ticks, more->ticks);
}

void nytp_levels_add_sum(nytp_records *levels, const nytp_level *level)
{
    nytp_records_add(levels, level, join);
}

void nytp_levels_change(nytp_records *levels, nytp_record_change_fn *change, void *context)
{
    nytp_records_change(levels, change, context, join);
}
