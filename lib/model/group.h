/* Arrays of records that are sorted by a key: sums of records with the same key, runs of them, and an index.
 *
 * Where a function asks for a key, that is a member of type uint32_t, given by its offset in the record.
 */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Strongly connected components of a graph of calls: sets of functions that call each other, directly or not.
 * A function without recursion is a component of its own. Callgrind calls them cycles. */

typedef struct nytp_cycles {
    uint32_t count;
    uint32_t *of_function; /* number of its cycle; a called cycle has a lower number than its callers */
} nytp_cycles;

/* Finds the cycles of functions, numbered below count. calls are records, sorted by caller; caller and callee
 * are the offsets of these members, as those of group.h. */
void nytp_cycles_find(nytp_cycles *cycles, const GArray *calls, size_t caller, size_t callee, uint32_t count);
void nytp_cycles_clear(nytp_cycles *cycles);

typedef int nytp_compare_fn(const void *a, const void *b);

/* Adds the sums of `other` to `record`. */
typedef void nytp_add_fn(void *record, const void *other);

static inline void *nytp_group_at(const GArray *array, guint index)
{
    return array->data + (size_t)index * g_array_get_element_size((GArray *)array);
}

static inline uint32_t nytp_group_key(const GArray *array, guint index, size_t key)
{
    return *(const uint32_t *)(const void *)((const char *)nytp_group_at(array, index) + key);
}

/* Like g_array_sort(), which needs memory for a second array. qsort() sorts in place if there is none. */
static inline void nytp_group_sort(GArray *array, nytp_compare_fn *compare)
{
    if (array->len > 1)
        qsort(array->data, array->len, g_array_get_element_size(array), compare);
}

/* Returns the numbers from 0 to count - 1, sorted: compare gets pointers to two. The caller must g_free()
 * them. */
static inline uint32_t *nytp_group_order(size_t count, GCompareDataFunc compare, const void *context)
{
    uint32_t *order = g_new(uint32_t, count + 1); /* + 1: never NULL */
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)count, sizeof *order, compare, (gpointer)context);
    return order;
}

/* Merges records that compare equal, which must be neighbours: keeps the first and adds the others to it. */
static inline void nytp_group_merge(GArray *array, nytp_compare_fn *compare, nytp_add_fn *add)
{
    guint kept = 0;
    for (guint i = 0; i < array->len; i++) {
        const void *record = nytp_group_at(array, i);
        if (kept > 0 && compare(nytp_group_at(array, kept - 1), record) == 0) {
            add(nytp_group_at(array, kept - 1), record);
            continue;
        }
        if (kept < i)
            memcpy(nytp_group_at(array, kept), record, g_array_get_element_size(array));
        kept++;
    }
    g_array_set_size(array, kept);
}

/* Returns the index past the last of the records that follow `first` and have its key. */
static inline guint nytp_group_end(const GArray *sorted, guint first, size_t key)
{
    guint end = first + 1;
    while (end < sorted->len && nytp_group_key(sorted, end, key) == nytp_group_key(sorted, first, key))
        end++;
    return end;
}

/* Returns, for each key below `keys`, the index of the first record with that key or a higher one, and
 * the number of records as the last element. The caller must g_free() it. */
static inline guint *nytp_group_starts(const GArray *sorted, size_t key, uint32_t keys)
{
    guint *starts = g_new0(guint, (size_t)keys + 1);
    for (guint i = 0; i < sorted->len; i++)
        starts[nytp_group_key(sorted, i, key) + 1]++;
    for (uint32_t i = 0; i < keys; i++)
        starts[i + 1] += starts[i];
    return starts;
}
