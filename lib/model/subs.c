/* Subs, the lines where they are, and the arcs between them. */
#include "model/subs.h"

#include "base/labels.h"
#include "base/order.h"
#include "base/str.h"
#include "base/ticks.h"
#include "model/grow.h"

#include <stdlib.h>

static void clear_entry(gpointer entry)
{
    nytp_sub_entry *e = entry;
    if (e->range_count > 1)
        g_free(e->ranges.many);
}

void nytp_subs_init(nytp_subs *subs)
{
    subs->names = nytp_names_new();
    subs->entries = NYTP_ZEROED_ARRAY(nytp_sub_entry);
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

/* A profile may have many ranges of one sub, in any order: the stream has those of perl's hash, and merged
 * profiles repeat them. So the ranges of a sub are an array of sorted runs, with a run of 2^i ranges for each
 * bit i that is set in their number, the longest first. A new range is looked up in each run. Then it is a
 * run of one, and runs of the same length become one, as bits carry when 1 is added. */

/* Ranges without lines come last, so that the first range is where the sub is. */
static int compare_ranges(const void *x, const void *y)
{
    const nytp_range *a = x, *b = y;
    return nytp_order4(NYTP_ORDER(a->last_line == 0, b->last_line == 0), NYTP_ORDER(a->fid, b->fid),
                       NYTP_ORDER(a->first_line, b->first_line), NYTP_ORDER(a->last_line, b->last_line));
}

/* Returns the length of the last run. */
static uint32_t last_run(uint32_t count)
{
    return count & -count;
}

static nytp_range *unsorted_ranges(nytp_sub_entry *entry)
{
    return entry->range_count > 1 ? entry->ranges.many : &entry->ranges.one;
}

static bool has_range(nytp_sub_entry *entry, const nytp_range *range)
{
    const nytp_range *all = unsorted_ranges(entry);
    for (uint32_t end = entry->range_count, run; end > 0; end -= run) {
        run = last_run(end);
        if (bsearch(range, all + end - run, run, sizeof *all, compare_ranges) != NULL)
            return true;
    }
    return false;
}

static void append_range(nytp_sub_entry *entry, nytp_range range)
{
    uint32_t count = entry->range_count++;
    if (count == 0) {
        entry->ranges.one = range;
        return;
    }
    nytp_range first = entry->ranges.one, *all = count > 1 ? entry->ranges.many : NULL;
    if ((count & (count - 1)) == 0)
        all = g_renew(nytp_range, all, count * (size_t)2);
    if (count == 1)
        all[0] = first;
    all[count] = range;
    entry->ranges.many = all;
}

bool nytp_subs_add_range(nytp_subs *subs, uint32_t number, nytp_range range)
{
    nytp_sub_entry *entry = &g_array_index(subs->entries, nytp_sub_entry, number);
    if (has_range(entry, &range))
        return false;
    append_range(entry, range);
    uint32_t run = last_run(entry->range_count);
    qsort(unsorted_ranges(entry) + entry->range_count - run, run, sizeof range, compare_ranges);
    entry->is_sorted = run == entry->range_count;
    return true;
}

static const nytp_range *sorted_ranges(nytp_sub_entry *entry)
{
    nytp_range *all = unsorted_ranges(entry);
    if (!entry->is_sorted)
        qsort(all, entry->range_count, sizeof *all, compare_ranges);
    entry->is_sorted = true;
    return all;
}

void nytp_arc_add(void *into, const void *record)
{
    nytp_arc *sum = into;
    const nytp_arc *arc = record;
    sum->count += arc->count;
    sum->incl_ticks = nytp_add_ticks(sum->incl_ticks, arc->incl_ticks);
    sum->excl_ticks = nytp_add_ticks(sum->excl_ticks, arc->excl_ticks);
    sum->reci_ticks = nytp_add_ticks(sum->reci_ticks, arc->reci_ticks);
    sum->max_depth = MAX(sum->max_depth, arc->max_depth);
    sum->lacks_kept |= arc->lacks_kept;
    sum->kept_values = nytp_add_ticks(sum->kept_values, arc->kept_values);
    sum->own_kept_values = nytp_add_ticks(sum->own_kept_values, arc->own_kept_values);
}

void nytp_subs_add_arc(nytp_subs *subs, const nytp_arc *arc)
{
    nytp_records_add(&subs->arcs, arc, nytp_arc_add);
}

void nytp_subs_change_arcs(nytp_subs *subs, nytp_record_change_fn *change, void *context)
{
    nytp_records_change(&subs->arcs, change, context, nytp_arc_add);
}

nytp_sub nytp_subs_get(const nytp_subs *subs, uint32_t number)
{
    nytp_sub_entry *entry = &g_array_index(subs->entries, nytp_sub_entry, number);
    nytp_sub sub = {.name = nytp_names_get(subs->names, number),
                    .range_count = entry->range_count,
                    .ranges = sorted_ranges(entry)};
    /* a profile that was cut may not say what a built-in is */
    const bool may_be_op = entry->is_xsub || sub.range_count == 0;
    if (may_be_op && nytp_sub_op(sub.name).length > 0)
        sub.kind = NYTP_SUB_OPCODE;
    else if (entry->is_xsub)
        sub.kind = NYTP_SUB_XSUB;
    return sub;
}

uint32_t nytp_subs_copy(nytp_subs *to, nytp_str name, const nytp_subs *from, uint32_t number)
{
    uint32_t copied = nytp_subs_number(to, name);
    nytp_sub_entry *copy = &g_array_index(to->entries, nytp_sub_entry, copied);
    const nytp_sub_entry *entry = &g_array_index(from->entries, nytp_sub_entry, number);
    copy->is_xsub |= entry->is_xsub;
    return copied;
}

const nytp_range *nytp_sub_main_range(const nytp_sub *sub)
{
    return sub->range_count > 0 ? &sub->ranges[0] : NULL;
}

bool nytp_sub_is_root(const nytp_sub *sub)
{
    return nytp_str_is(sub->name, NYTP_RUNTIME) || nytp_str_is(sub->name, "main::NULL");
}
