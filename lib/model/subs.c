/* Subs, the lines where they are, and the arcs between them. */
#include "model/subs.h"

#include "base/str.h"
#include "base/ticks.h"
#include "model/profile.h"

#include <string.h>

static void clear_entry(gpointer entry)
{
    nytp_sub_entry *e = entry;
    if (e->range_count > 1)
        g_free(e->ranges.sorted);
}

void nytp_subs_init(nytp_subs *subs)
{
    subs->names = nytp_names_new();
    subs->entries = g_array_new(FALSE, TRUE, sizeof(nytp_sub_entry));
    g_array_set_clear_func(subs->entries, clear_entry);
    nytp_records_init(&subs->arcs, sizeof(nytp_arc), offsetof(nytp_arc, count));
}

void nytp_subs_clear(nytp_subs *subs)
{
    nytp_records_clear(&subs->arcs);
    g_array_free(subs->entries, TRUE);
    nytp_names_free(subs->names);
}

uint32_t nytp_subs_number(nytp_subs *subs, nytp_str name)
{
    bool added;
    uint32_t number = nytp_names_intern(subs->names, &name, &added);
    if (added)
        g_array_set_size(subs->entries, number + 1);
    return number;
}

void nytp_subs_mark_xsub(nytp_subs *subs, uint32_t number)
{
    g_array_index(subs->entries, nytp_sub_entry, number).is_xsub = true;
}

static int compare_ranges(const nytp_range *a, const nytp_range *b)
{
    if (a->fid != b->fid)
        return a->fid < b->fid ? -1 : 1;
    if (a->first_line != b->first_line)
        return a->first_line < b->first_line ? -1 : 1;
    return (a->last_line > b->last_line) - (a->last_line < b->last_line);
}

/* Inserts the range at index `place`. The capacity grows by powers of two. */
static void insert_range(nytp_sub_entry *entry, uint32_t place, nytp_range range)
{
    uint32_t count = entry->range_count++;
    if (count == 0) {
        entry->ranges.one = range;
        return;
    }
    nytp_range first = entry->ranges.one, *all = count > 1 ? entry->ranges.sorted : NULL;
    if ((count & (count - 1)) == 0)
        all = g_renew(nytp_range, all, count * (size_t)2);
    if (count == 1)
        all[0] = first;
    memmove(all + place + 1, all + place, (count - place) * sizeof *all);
    all[place] = range;
    entry->ranges.sorted = all;
}

/* Keeps ranges sorted, and each only once: the stream has them in the order of perl's hash, and merged
 * profiles repeat them. */
bool nytp_subs_add_range(nytp_subs *subs, uint32_t number, nytp_range range)
{
    nytp_sub_entry *entry = &g_array_index(subs->entries, nytp_sub_entry, number);
    const nytp_range *ranges = nytp_sub_ranges(entry);
    uint32_t low = 0, high = entry->range_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_ranges(&ranges[middle], &range);
        if (order == 0)
            return false;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    insert_range(entry, low, range);
    return true;
}

static void join_arcs(void *into, const void *record)
{
    nytp_arc *sum = into;
    const nytp_arc *arc = record;
    sum->count += arc->count;
    sum->incl_ticks = nytp_add_ticks(sum->incl_ticks, arc->incl_ticks);
    sum->excl_ticks = nytp_add_ticks(sum->excl_ticks, arc->excl_ticks);
    sum->reci_ticks = nytp_add_ticks(sum->reci_ticks, arc->reci_ticks);
    sum->max_depth = MAX(sum->max_depth, arc->max_depth);
}

void nytp_subs_add_arc(nytp_subs *subs, const nytp_arc *arc)
{
    bool added;
    uint32_t number = nytp_records_number(&subs->arcs, arc, &added);
    if (!added)
        join_arcs(nytp_records_at(&subs->arcs, number), arc);
}

void nytp_subs_change_arcs(nytp_subs *subs, nytp_record_change_fn *change, void *context)
{
    nytp_records_change(&subs->arcs, change, context, join_arcs);
}

/* ---- one sub ---- */

const nytp_range *nytp_sub_home(const nytp_sub *sub)
{
    const nytp_range *home = NULL;
    for (size_t i = 0; i < sub->range_count && (home == NULL || home->last_line == 0); i++)
        if (home == NULL || sub->ranges[i].last_line > 0)
            home = &sub->ranges[i];
    return home;
}

bool nytp_sub_is_root(const nytp_sub *sub)
{
    return nytp_str_is(sub->name, "main::RUNTIME") || nytp_str_is(sub->name, "main::NULL");
}
