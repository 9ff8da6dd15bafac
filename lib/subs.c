/* Subs, the lines where they are, and the arcs between them. */
#include "model.h"

static guint hash_arc(gconstpointer key)
{
    const nytp_arc *a = key;
    uint64_t h = a->caller;
    const uint32_t rest[] = {a->callee, a->fid, a->line};
    for (size_t i = 0; i < G_N_ELEMENTS(rest); i++)
        h = (h ^ rest[i]) * UINT64_C(0x9E3779B97F4A7C15) >> 16;
    return (guint)h;
}

static gboolean equal_arcs(gconstpointer x, gconstpointer y)
{
    const nytp_arc *a = x, *b = y;
    return a->caller == b->caller && a->callee == b->callee && a->fid == b->fid && a->line == b->line;
}

static void clear_entry(gpointer entry)
{
    sub_entry *e = entry;
    if (e->ranges != NULL)
        g_array_free(e->ranges, TRUE);
}

void nytp_subs_init(nytp_subs *subs)
{
    subs->names = nytp_names_new();
    subs->entries = g_array_new(FALSE, TRUE, sizeof(sub_entry));
    g_array_set_clear_func(subs->entries, clear_entry);
    subs->arcs = g_ptr_array_new_with_free_func(g_free);
    subs->arc_of = g_hash_table_new(hash_arc, equal_arcs);
}

void nytp_subs_clear(nytp_subs *subs)
{
    g_hash_table_destroy(subs->arc_of);
    g_ptr_array_free(subs->arcs, TRUE);
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
    g_array_index(subs->entries, sub_entry, number).is_xsub = true;
}

static int compare_ranges(const nytp_range *a, const nytp_range *b)
{
    if (a->fid != b->fid)
        return a->fid < b->fid ? -1 : 1;
    if (a->first_line != b->first_line)
        return a->first_line < b->first_line ? -1 : 1;
    return (a->last_line > b->last_line) - (a->last_line < b->last_line);
}

/* Sorted, each once: the stream has them in the order of perl's hash, and merged profiles repeat them. */
void nytp_subs_add_range(nytp_subs *subs, uint32_t number, nytp_range range)
{
    sub_entry *entry = &g_array_index(subs->entries, sub_entry, number);
    if (entry->ranges == NULL)
        entry->ranges = g_array_sized_new(FALSE, FALSE, sizeof(nytp_range), 1);
    guint low = 0, high = entry->ranges->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        int order = compare_ranges(&g_array_index(entry->ranges, nytp_range, middle), &range);
        if (order == 0)
            return;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    g_array_insert_val(entry->ranges, low, range);
}

void nytp_subs_add_arc(nytp_subs *subs, const nytp_arc *arc)
{
    nytp_arc *sum = g_hash_table_lookup(subs->arc_of, arc);
    if (sum == NULL) {
        sum = g_memdup2(arc, sizeof *arc);
        g_ptr_array_add(subs->arcs, sum);
        g_hash_table_add(subs->arc_of, sum);
        return;
    }
    sum->count += arc->count;
    sum->incl_ticks = nytp_add_ticks(sum->incl_ticks, arc->incl_ticks);
    sum->excl_ticks = nytp_add_ticks(sum->excl_ticks, arc->excl_ticks);
    sum->reci_ticks = nytp_add_ticks(sum->reci_ticks, arc->reci_ticks);
    sum->max_depth = MAX(sum->max_depth, arc->max_depth);
}
