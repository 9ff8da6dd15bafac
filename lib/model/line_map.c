/* The lines of all files are one sequence of positions, with the number of the file in the upper half of
 * a position. One pass over the subs divides it into intervals of lines with the same place. An interval can
 * begin only on a sub's first line, on the line after that, on its last line, or on the line after that. */
#include "model/line_map.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"

struct nytp_line_map {
    GArray *intervals; /* sorted */
};

/* The lines from `first` to the next interval, which all have the same place. */
typedef struct interval {
    uint64_t first;
    nytp_line_place place;
} interval;

/* The lines of a sub. */
typedef struct range {
    uint64_t first, last; /* positions */
    uint64_t weight;
    uint32_t sub, first_line;
} range;

static uint64_t position_of(uint32_t file, uint32_t line)
{
    return (uint64_t)file << 32 | line;
}

/* In this order, the last of the ranges around a line is the innermost one. If several subs have the same
 * lines, the sub that took the most time gets them. */
static int innermost_last(const void *a, const void *b)
{
    const range *x = a, *y = b;
    return nytp_order4(NYTP_ORDER(x->first, y->first), NYTP_ORDER(y->last, x->last),
                       NYTP_ORDER(x->weight, y->weight), NYTP_ORDER(y->sub, x->sub));
}

static void collect_ranges(const nytp_profile *profile, const nytp_sub *sub, uint32_t number, uint64_t weight,
                           GArray *ranges)
{
    for (size_t k = 0; k < sub->range_count; k++) {
        const nytp_range *lines = &sub->ranges[k];
        const nytp_file *file = lines->fid != 0 ? nytp_profile_merged_file(profile, lines->fid) : NULL;
        if (file == NULL || lines->first_line > lines->last_line)
            continue;
        range r = {position_of(file->number, lines->first_line), position_of(file->number, lines->last_line),
                   weight, number, lines->first_line};
        g_array_append_val(ranges, r);
    }
}

/* Returns the ranges of all subs that count. */
static GArray *find_ranges(const nytp_profile *profile, nytp_has_lines_fn *has_lines, void *context)
{
    GArray *ranges = NYTP_ARRAY(range);
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++) {
        uint64_t weight = 0;
        if (has_lines(context, i, &sub, &weight))
            collect_ranges(profile, &sub, i, weight, ranges);
    }
    nytp_group_sort(ranges, innermost_last);
    return ranges;
}

static int by_position(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return NYTP_ORDER(*x, *y);
}

/* Returns the positions where intervals can begin, sorted. */
static GArray *find_edges(const GArray *ranges)
{
    enum { EDGES = 4 }; /* of each range */
    GArray *edges = g_array_sized_new(FALSE, FALSE, sizeof(uint64_t), ranges->len * EDGES);
    NYTP_EACH(const range, r, ranges) {
        uint64_t of_range[EDGES] = {r->first, r->first + 1, r->last, r->last + 1};
        g_array_append_vals(edges, of_range, EDGES);
    }
    nytp_group_sort(edges, by_position);
    return edges;
}

static void begin_interval(GArray *intervals, uint64_t first, nytp_line_place place)
{
    interval next = {first, place};
    const interval *last =
        intervals->len > 0 ? &g_array_index(intervals, interval, intervals->len - 1) : NULL;
    if (last == NULL || last->place.sub != place.sub || last->place.first_line != place.first_line ||
        last->place.is_inside != place.is_inside)
        g_array_append_val(intervals, next);
}

/* Ranges that have begun are on a stack. When those that have ended are popped, the top is the innermost
 * range. Ended ranges further down do no harm. */
nytp_line_map *nytp_line_map_new(const nytp_profile *profile, nytp_has_lines_fn *has_lines, void *context)
{
    nytp_line_map *map = g_new(nytp_line_map, 1);
    g_autoptr(GArray) ranges = find_ranges(profile, has_lines, context);
    g_autoptr(GArray) edges = find_edges(ranges);
    g_autoptr(GArray) open = NYTP_ARRAY(range);
    uint64_t furthest = 0; /* the last position of all ranges that began before the current one */
    guint next = 0, before = 0;
    map->intervals = NYTP_ARRAY(interval);
    NYTP_EACH(const uint64_t, number, edges) {
        uint64_t at = *number;
        for (; next < ranges->len && g_array_index(ranges, range, next).first <= at; next++)
            g_array_append_val(open, g_array_index(ranges, range, next));
        for (; before < next && g_array_index(ranges, range, before).first < at; before++)
            furthest = MAX(furthest, g_array_index(ranges, range, before).last);
        while (open->len > 0 && g_array_index(open, range, open->len - 1).last < at)
            g_array_set_size(open, open->len - 1);
        const range *in = open->len > 0 ? &g_array_index(open, range, open->len - 1) : NULL;
        begin_interval(map->intervals, at,
                       in != NULL ? (nytp_line_place){in->sub, in->first_line, furthest > at}
                                  : (nytp_line_place){UINT32_MAX, 0, furthest > at});
    }
    return map;
}

void nytp_line_map_free(nytp_line_map *map)
{
    g_array_free(map->intervals, TRUE);
    g_free(map);
}

nytp_line_place nytp_line_map_find(const nytp_line_map *map, uint32_t file, uint32_t line)
{
    const uint64_t position = position_of(file, line);
    guint after;
    NYTP_SEARCH(after, map->intervals->len, g_array_index(map->intervals, interval, after).first <= position);
    if (after == 0)
        return (nytp_line_place){UINT32_MAX, 0, false};
    return g_array_index(map->intervals, interval, after - 1).place;
}
