/* The public functions that give access to what a profile has. */
#include "base/ticks.h"
#include "model/lines.h"
#include "model/profile.h"
#include "model/records.h"
#include "model/subs.h"
#include "model/whole.h"

/* As in base/version.c, where pointers have 8 bytes. */
#define SIZE(type, bytes)                                                                                    \
    _Static_assert(sizeof(void *) != 8 || sizeof(type) == (bytes), #type " must not change its size")
SIZE(nytp_sub, 80);
SIZE(nytp_line, 48);
SIZE(nytp_totals, 64);

double nytp_profile_ticks_per_sec(const nytp_profile *profile)
{
    return profile->ticks_per_sec;
}

size_t nytp_profile_setting_count(const nytp_profile *profile)
{
    return profile->settings.count;
}

const nytp_setting *nytp_profile_setting(const nytp_profile *profile, size_t index)
{
    return index < profile->settings.count ? nytp_records_at(&profile->settings, (uint32_t)index) : NULL;
}

size_t nytp_profile_process_count(const nytp_profile *profile)
{
    return profile->processes->len;
}

const nytp_process *nytp_profile_process(const nytp_profile *profile, size_t index)
{
    return index < profile->processes->len ? &g_array_index(profile->processes, nytp_process, index) : NULL;
}

size_t nytp_profile_file_count(const nytp_profile *profile)
{
    return profile->files.count;
}

const nytp_file *nytp_profile_file(const nytp_profile *profile, size_t number)
{
    return number < profile->files.count ? nytp_records_at(&profile->files, (uint32_t)number) : NULL;
}

const nytp_file *nytp_profile_file_by_fid(const nytp_profile *profile, uint32_t fid)
{
    return nytp_profile_find_file(profile, fid);
}

bool nytp_profile_next_line(const nytp_profile *profile, uint32_t fid, uint64_t *from, nytp_line *line)
{
    return nytp_lines_next(profile->lines, fid, from, line);
}

size_t nytp_profile_level_count(const nytp_profile *profile)
{
    const nytp_records *levels = nytp_lines_levels(profile->lines);
    return levels != NULL ? levels->count : 0;
}

const nytp_level *nytp_profile_level(const nytp_profile *profile, size_t index)
{
    const nytp_records *levels = nytp_lines_levels(profile->lines);
    return levels != NULL && index < levels->count ? nytp_records_at(levels, (uint32_t)index) : NULL;
}

size_t nytp_profile_sub_count(const nytp_profile *profile)
{
    return profile->subs.entries->len;
}

bool nytp_profile_sub(const nytp_profile *profile, size_t number, nytp_sub *sub)
{
    if (number >= profile->subs.entries->len)
        return false;
    *sub = nytp_subs_get(&profile->subs, (uint32_t)number);
    return true;
}

size_t nytp_profile_arc_count(const nytp_profile *profile)
{
    return profile->subs.arcs.count;
}

const nytp_arc *nytp_profile_arc(const nytp_profile *profile, size_t index)
{
    return index < profile->subs.arcs.count ? nytp_records_at(&profile->subs.arcs, (uint32_t)index) : NULL;
}

nytp_totals nytp_profile_totals(const nytp_profile *profile)
{
    nytp_totals totals = {0};
    nytp_lines_total(profile->lines, &totals);
    NYTP_EACH_RECORD(const nytp_arc, arc, &profile->subs.arcs) {
        totals.calls += arc->count;
        totals.excl_ticks = nytp_add_ticks(totals.excl_ticks, arc->excl_ticks);
    }
    totals.whole_ticks =
        nytp_whole_ticks(nytp_whole((double)totals.statement_ticks, (double)totals.excl_ticks));
    return totals;
}
