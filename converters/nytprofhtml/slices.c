#include "core.h"

#include "base/ticks.h"
#include "model/grow.h"
#include "overview.h"
#include "model/records.h"

#include <math.h>
#include <string.h>

enum { FEWEST = 16, UNITS_OF_SLICE = 1000 };
enum { STATEMENTS = NYTP_WAITS }; /* their time, beside what of it they waited */

#define NO_ROW HTML_NO_ROW

static nytp_slice_cell *cell_at(const GArray *cells, guint i)
{
    return &g_array_index(cells, nytp_slice_cell, i);
}

/* ---- from nodes to rows of stacks ---- */

typedef struct node_row {
    bool is_known;
    bool is_folded; /* into that of a caller */
    uint32_t row;   /* NO_ROW: outside of subs */
} node_row;

typedef struct rows {
    const html_report *report;
    nytp_pairs children; /* row of the parent and sub, by row */
    uint32_t rest;       /* row of what was folded on the outermost level; NO_ROW if nothing was */
    const GArray *nodes;
    node_row *of; /* by node */
} rows;

static void find_children(rows *r)
{
    const GArray *stacks = r->report->stacks;
    g_autoptr(GArray) path = NYTP_ARRAY(uint32_t);
    for (guint i = 0; i < stacks->len; i++) {
        const html_stack *s = &g_array_index(stacks, html_stack, i);
        const uint32_t parent = s->depth > 0 ? g_array_index(path, uint32_t, s->depth - 1) : NO_ROW;
        nytp_pairs_intern(&r->children, (nytp_pair){parent, s->sub});
        if (s->depth == 0 && strcmp(html_report_sub(r->report, s->sub)->name, HTML_FOLDED) == 0)
            r->rest = i;
        g_array_set_size(path, s->depth);
        g_array_append_val(path, i);
    }
}

/* The row of a node whose parent's is known. What is in no row was folded into that of a caller. */
static node_row find_row(const rows *r, nytp_slice_node node)
{
    const node_row parent = r->of[node.parent];
    if (node.sub == NYTP_NO_SUB)
        return (node_row){true, false, NO_ROW};
    if (parent.is_folded)
        return parent;
    const uint32_t row =
        nytp_pairs_find(&r->children, (nytp_pair){parent.row, r->report->call_subs[node.sub]});
    if (row != UINT32_MAX)
        return (node_row){true, false, row};
    return (node_row){true, true, parent.row != NO_ROW ? parent.row : r->rest};
}

/* Parents may have higher numbers than their children. */
static uint32_t row_of(const rows *r, uint32_t number, GArray *path)
{
    const nytp_slice_node *nodes = &g_array_index(r->nodes, nytp_slice_node, 0);
    g_array_set_size(path, 0);
    for (uint32_t n = number; !r->of[n].is_known; n = nodes[n].parent)
        g_array_append_val(path, n);
    for (guint i = path->len; i-- > 0;) {
        const uint32_t n = g_array_index(path, uint32_t, i);
        r->of[n] = find_row(r, nodes[n]);
    }
    return r->of[number].row;
}

static GArray *cells_of_stacks(const html_report *report, const nytp_slices *slices)
{
    g_autoptr(GArray) path = NYTP_ARRAY(uint32_t);
    rows r = {.report = report, .rest = NO_ROW, .nodes = slices->nodes};
    nytp_pairs_init(&r.children);
    find_children(&r);
    r.of = g_new0(node_row, r.nodes->len);
    r.of[0] = (node_row){true, false, NO_ROW};
    g_autofree uint32_t *row_of_node = g_new(uint32_t, r.nodes->len);
    for (guint i = 0; i < r.nodes->len; i++)
        row_of_node[i] = row_of(&r, i, path);
    nytp_pairs_clear(&r.children);
    g_free(r.of);
    return nytp_slice_cells_of_rows(slices->calls, row_of_node, report->stacks->len);
}

/* ---- from places to rows of lines ---- */

static GArray *cells_of_lines(const html_report *r, const nytp_slices *slices)
{
    const GArray *places = slices->places;
    g_autofree uint32_t *row_of_place = g_new(uint32_t, places->len + 1);
    for (guint i = 0; i < places->len; i++)
        row_of_place[i] = html_line_row_of(r, g_array_index(places, nytp_slice_place, i));
    return nytp_slice_cells_of_rows(slices->statements, row_of_place, r->line_rows->len);
}

void html_slices_find(html_report *report, nytp_time_slices *of)
{
    const nytp_slices slices = nytp_time_slices_get(of);
    if (slices.grid.count < FEWEST || report->stacks->len == 0)
        return;
    report->slices = g_new(html_slices, 1);
    *report->slices = (html_slices){slices.grid, slices.end_s, cells_of_stacks(report, &slices),
                                    cells_of_lines(report, &slices), g_array_ref(slices.memory)};
}

static void halve(html_slices *s)
{
    const int64_t last = nytp_slice_of_two(s->grid.first + s->grid.count - 1);
    s->grid.first = nytp_slice_of_two(s->grid.first);
    s->grid.count = (uint32_t)(last - s->grid.first + 1);
    s->grid.width_s *= 2;
    nytp_slice_cells_halve_sorted(s->stacks);
    nytp_slice_cells_halve_sorted(s->lines);
}

/* ---- writing ---- */

static int64_t ticks_of(const html_report *r, double s)
{
    return nytp_whole_ticks(round(s * r->measure.ticks_per_base));
}

/* Returns what the first cell of a row and process is rounded with: more than -0.5, and less than 0.5. These
 * numbers are spread evenly over any list of rows, as multiples of the golden ratio are. So the sum of many
 * rows of which each has less than a unit is near the truth, which it would not be if all had the same. */
static double first_carry(const nytp_slice_cell *cell)
{
    static const double golden = 0.61803398874989485, plastic = 0.75487766624669276;
    const double sum = cell->of * golden + cell->process * plastic;
    return (sum - floor(sum) - 0.5) * (1 - 0x1p-20);
}

/* Rounds a number with what was rounded off before, and is noted again. */
static double rounded(double number, double *carry)
{
    if (number == 0)
        return 0;
    const double whole = round(number + *carry);
    *carry += number - whole;
    return whole;
}

/* Times in units of which a slice has UNITS_OF_SLICE. What is rounded off goes to the next cell of the same
 * row and process. Cells with nothing are left out. */
static GArray *in_units(const GArray *cells, double unit_s, bool has_counts)
{
    GArray *made = g_array_sized_new(FALSE, FALSE, sizeof(nytp_slice_cell), cells->len);
    guint kept = 0;
    double carry = 0, asleep_carry = 0, queued_carry = 0;
    g_array_set_size(made, cells->len);
    for (guint i = 0; i < cells->len; i++) {
        nytp_slice_cell cell = *cell_at(cells, i);
        if (i == 0 || cell.of != cell_at(cells, i - 1)->of || cell.process != cell_at(cells, i - 1)->process)
            carry = asleep_carry = queued_carry = first_carry(&cell);
        cell.s = rounded(cell.s / unit_s, &carry);
        cell.asleep_s = rounded(cell.asleep_s / unit_s, &asleep_carry);
        cell.queued_s = rounded(cell.queued_s / unit_s, &queued_carry);
        cell.count = has_counts ? MAX(cell.count, 0) : 0;
        if (cell.s != 0 || cell.count > 0)
            *cell_at(made, kept++) = cell;
    }
    g_array_set_size(made, kept);
    return made;
}

static void write_cells(html_json *j, const char *key, const char *of, const GArray *cells,
                        const html_slices *s, bool has_processes)
{
    const guint count = cells->len;
    html_json_open(j, key, '{');
    HTML_COLUMN(j, of, count, i, (int64_t)cell_at(cells, i)->of - (i > 0 ? cell_at(cells, i - 1)->of : 0));
    if (has_processes)
        HTML_COLUMN(j, "process", count, i, cell_at(cells, i)->process);
    html_json_open(j, "slice", '[');
    for (guint i = 0; i < count; i++) {
        const nytp_slice_cell *cell = cell_at(cells, i), *before = i > 0 ? cell_at(cells, i - 1) : NULL;
        const bool follows = before != NULL && before->of == cell->of && before->process == cell->process;
        html_json_int(j, NULL, cell->slice - (follows ? before->slice : s->grid.first));
    }
    html_json_close(j, ']');
    HTML_COLUMN(j, "ticks", count, i, (int64_t)cell_at(cells, i)->s);
    HTML_COLUMN(j, "calls", count, i, cell_at(cells, i)->count);
    HTML_COLUMN(j, "asleep", count, i, (int64_t)cell_at(cells, i)->asleep_s);
    HTML_COLUMN(j, "queued", count, i, (int64_t)cell_at(cells, i)->queued_s);
    html_json_close(j, '}');
}

static GByteArray *cells_block(const html_report *r, const html_slices *s, html_pack *pack)
{
    const double unit_s = fmax(s->grid.width_s / UNITS_OF_SLICE, 1 / r->measure.ticks_per_base);
    const bool has_processes = nytp_profile_process_count(r->profile) > 1,
               has_counts = !nytp_measure_is_sampled(&r->measure);
    g_autoptr(GArray) stacks = in_units(s->stacks, unit_s, has_counts);
    g_autoptr(GArray) lines = in_units(s->lines, unit_s, has_counts);
    g_autofree html_json *j = html_json_new(pack);
    html_json_real(j, "quantum", unit_s * r->measure.ticks_per_base);
    write_cells(j, "stacks", "node", stacks, s, has_processes);
    write_cells(j, "lines", "row", lines, s, has_processes);
    if (has_processes)
        html_slice_memory_write_processes(j, "memory", s);
    return html_json_take_block(j);
}

/* Returns the time of an area in a slice. */
static double *time_in(double *times, const html_slices *s, int area, const nytp_slice_cell *cell)
{
    return &times[(size_t)area * s->grid.count + (size_t)(cell->slice - s->grid.first)];
}

/* Makes the times of areas in a slice those that its statements took. Statements outside of subs, and those
 * of calls that have not returned, are own code, but for what they waited. Built-ins are measured apart, so
 * that they can have more time in a slice than their statements. */
static void fit(double *times, size_t count, const double *statements)
{
    const double statements_s = statements[STATEMENTS * count];
    double calls_s = 0;
    for (size_t area = 0; area < HTML_AREAS; area++)
        calls_s += times[area * count] = fmax(times[area * count], 0);
    double rest_s = statements_s - calls_s;
    for (int wait = 0; wait < NYTP_WAITS && rest_s > 0; wait++) {
        double *of = &times[(size_t)(wait == NYTP_ASLEEP ? HTML_ASLEEP : HTML_QUEUED) * count];
        const double more_s = CLAMP(statements[(size_t)wait * count] - *of, 0, rest_s);
        *of += more_s;
        rest_s -= more_s;
    }
    times[0] += fmax(rest_s, 0);
    for (size_t area = 0; area < HTML_AREAS && rest_s < 0; area++)
        times[area * count] *= statements_s / calls_s;
}

/* Adds what is owed to a time, which does not fall below 0. Returns what is still owed, which is not
 * positive. */
static double settle_one(double *time, double owed)
{
    const double left = *time + owed;
    *time = fmax(left, 0);
    return fmin(left, 0);
}

/* What seemed longer than it was has its time in a slice before it ended, which then has too little: a
 * built-in within its statement, or, without statements, what a call took beside those that it made. The
 * slices before it give that back, or else those after it. */
static void settle(double *times, guint count)
{
    double owed = 0;
    for (guint i = count; i-- > 0;)
        owed = settle_one(&times[i], owed);
    for (guint i = 0; i < count && owed < 0; i++)
        owed = settle_one(&times[i], owed);
}

static double seconds_of(const GArray *cells)
{
    double sum_s = 0;
    NYTP_EACH(const nytp_slice_cell, cell, cells)
        sum_s += cell->s;
    return sum_s;
}

/* What the statements of each slice took, and what of that they waited, one after the other. */
static double *times_of_statements(const html_slices *s)
{
    const guint count = s->grid.count;
    double *times = g_new0(double, (STATEMENTS + 1) * (size_t)count);
    NYTP_EACH(const nytp_slice_cell, line, s->lines) {
        double *sum = times + (line->slice - s->grid.first);
        sum[STATEMENTS * count] += line->s;
        sum[NYTP_ASLEEP * count] += line->asleep_s;
        sum[NYTP_QUEUED * count] += line->queued_s;
    }
    settle(times + (size_t)STATEMENTS * count, count);
    return times;
}

/* Returns the seconds of each slice, for one area after the other. */
static double *times_by_area(const html_report *r, const html_areas *areas, const html_slices *s)
{
    const guint count = s->grid.count;
    double *times = g_new0(double, (size_t)HTML_AREAS *count);
    NYTP_EACH(const nytp_slice_cell, cell, s->stacks) {
        const uint32_t sub = g_array_index(r->stacks, html_stack, cell->of).sub;
        const double work_s = cell->s - cell->asleep_s - cell->queued_s;
        *time_in(times, s, areas->of_sub[sub], cell) += work_s;
        *time_in(times, s, HTML_ASLEEP, cell) += cell->asleep_s;
        *time_in(times, s, HTML_QUEUED, cell) += cell->queued_s;
    }
    g_autofree double *statements = times_of_statements(s);
    const bool are_statements_all = seconds_of(s->lines) >= seconds_of(s->stacks);
    for (guint i = 0; i < count && are_statements_all; i++)
        fit(times + i, count, statements + i);
    for (guint area = 0; area < HTML_AREAS && !are_statements_all; area++)
        settle(times + (size_t)area * count, count);
    return times;
}

static GByteArray *strip_block(const html_report *r, const html_areas *areas, const html_slices *s,
                               html_pack *pack)
{
    const nytp_slice_grid *grid = &s->grid;
    const double per_s = r->measure.ticks_per_base, first_s = nytp_processes_begin_s(r->profile);
    g_autofree double *times = times_by_area(r, areas, s);
    g_autofree html_json *j = html_json_new(pack);
    html_json_real(j, "from", (grid->origin_s - first_s + (double)grid->first * grid->width_s) * per_s);
    html_json_real(j, "width", grid->width_s * per_s);
    html_json_int(j, "count", grid->count);
    html_json_real(j, "length", (s->end_s - first_s) * per_s);
    html_json_open(j, "by_area", '[');
    for (guint area = 0; area < HTML_AREAS; area++)
        HTML_COLUMN(j, NULL, grid->count, i, MAX(ticks_of(r, times[area * grid->count + i]), 0));
    html_json_close(j, ']');
    html_slice_memory_write(j, "memory", s);
    html_lanes_write(j, "lanes", r, s);
    return html_json_take_block(j);
}

/* Returns whether there are too many cells for blocks of that size: compressed, each takes at least 0.55
 * bytes (nine programs: 0.556 to 3.7). So most blocks that would not fit are not made. */
static bool are_too_many(const html_slices *s, size_t most_bytes)
{
    return (s->stacks->len + s->lines->len) / 20 * 11 > most_bytes;
}

/* Returns whether the blocks fit. */
static bool write_blocks(const html_report *r, const html_areas *areas, const html_slices *s, html_pack *pack,
                         size_t most_bytes, FILE *out)
{
    g_autoptr(GByteArray) cells = cells_block(r, s, pack), strip = strip_block(r, areas, s, pack);
    const bool fits = html_pack_bytes(cells) + html_pack_bytes(strip) <= most_bytes;
    if (fits) {
        html_pack_write_bytes(strip, "slices", out);
        html_pack_write_bytes(cells, "slice-cells", out);
    }
    return fits;
}

void html_slices_write(const html_report *report, const html_areas *areas, html_pack *pack, size_t most_bytes,
                       FILE *out)
{
    html_slices *s = report->slices;
    while (s != NULL && s->grid.count >= FEWEST &&
           (are_too_many(s, most_bytes) || !write_blocks(report, areas, s, pack, most_bytes, out)))
        halve(s);
}
