/* The public functions that give access to what a profile has. */
#include "base/ticks.h"
#include "model/lines.h"
#include "model/names.h"
#include "model/profile.h"
#include "model/records.h"
#include "model/subs.h"

double nytp_profile_ticks_per_sec(const nytp_profile *profile)
{
    return profile->ticks_per_sec;
}

const nytp_setting *nytp_profile_settings(const nytp_profile *profile, size_t *count)
{
    *count = profile->settings.count;
    return *count > 0 ? nytp_records_at(&profile->settings, 0) : NULL;
}

const nytp_process *nytp_profile_processes(const nytp_profile *profile, size_t *count)
{
    *count = profile->processes->len;
    return (const nytp_process *)(void *)profile->processes->data;
}

size_t nytp_profile_file_count(const nytp_profile *profile)
{
    return profile->files.count;
}

const nytp_file *nytp_profile_file(const nytp_profile *profile, size_t number)
{
    return number < profile->files.count ? nytp_records_at(&profile->files, (uint32_t)number) : NULL;
}

const nytp_file *nytp_profile_find_fid(const nytp_profile *profile, uint32_t fid)
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

uint32_t nytp_profile_sub_count(const nytp_profile *profile)
{
    return profile->subs.entries->len;
}

/* Built-ins are named after perl's op: "Pkg::CORE:print", or "CORE::print". */
static bool is_opcode(nytp_str name)
{
    static const char one_for_all[] = "CORE::", in_package[] = "::CORE:";
    size_t length = sizeof one_for_all - 1;
    if (name.length > length && memcmp(name.bytes, one_for_all, length) == 0)
        return true;
    return name.length > sizeof in_package - 1 &&
           memmem(name.bytes, name.length, in_package, sizeof in_package - 1) != NULL;
}

bool nytp_profile_sub(const nytp_profile *profile, uint32_t number, nytp_sub *sub)
{
    if (number >= profile->subs.entries->len)
        return false;
    nytp_sub_entry *entry = &g_array_index(profile->subs.entries, nytp_sub_entry, number);
    sub->name = nytp_names_get(profile->subs.names, number);
    sub->kind = !entry->is_xsub ? NYTP_SUB_PERL : is_opcode(sub->name) ? NYTP_SUB_OPCODE : NYTP_SUB_XSUB;
    sub->range_count = entry->range_count;
    sub->ranges = nytp_sub_ranges(entry);
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
    for (uint32_t i = 0; i < profile->subs.arcs.count; i++) {
        const nytp_arc *arc = nytp_records_at(&profile->subs.arcs, i);
        totals.calls += arc->count;
        totals.excl_ticks = nytp_add_ticks(totals.excl_ticks, arc->excl_ticks);
    }
    return totals;
}
