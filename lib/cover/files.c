#include "cover/units.h"

#include "base/order.h"
#include "base/str.h"
#include "model/grow.h"

#include <stdlib.h>
#include <string.h>

/* ---- the order of units ---- */

/* The statements of a file may be two units in two processes, if constants differ: they are variants of one.
 * Their first lines may differ, too. */
static bool is_whole_file(const cover_unit *u)
{
    return u->kind == NYTP_COVER_MAIN || u->kind == NYTP_COVER_EVAL;
}

static int order_of_variants(const cover_unit *a, const cover_unit *b)
{
    if (a->source != b->source)
        return NYTP_ORDER(a->source, b->source);
    if (a->kind != b->kind)
        return NYTP_ORDER(a->kind, b->kind);
    if (a->line != b->line && !is_whole_file(a))
        return NYTP_ORDER(a->line, b->line);
    const int by_name = nytp_str_order(a->name, b->name);
    return by_name != 0 ? by_name : NYTP_ORDER(a->twin, b->twin);
}

static gint unit_order(gconstpointer a, gconstpointer b)
{
    const cover_unit *u = *(const cover_unit *const *)a, *v = *(const cover_unit *const *)b;
    int order = order_of_variants(u, v);
    if (order == 0)
        order = NYTP_ORDER(u->line, v->line);
    return order != 0 ? order : nytp_str_order(u->list, v->list);
}

/* ---- what a file has ---- */

static uint32_t seen_of(const cover_unit *u, guint point)
{
    const int64_t of = g_array_index(u->points, nytp_cover_point, point).of;
    return u->seen[of >= 0 ? of : point];
}

static void add_lines(GArray *lines, const cover_unit *u)
{
    for (guint i = 0; i < u->points->len; i++) {
        const nytp_cover_point *p = &g_array_index(u->points, nytp_cover_point, i);
        const nytp_cover_line line = {p->line, seen_of(u, i) != 0};
        if (p->op == NYTP_COVER_STATEMENT)
            g_array_append_val(lines, line);
    }
}

/* While a file is made, branches have their place in the source, as sorting does not keep it. */
typedef struct placed_branch {
    nytp_cover_branch branch;
    guint place;
    guint run; /* those of one line and one variant have the same */
} placed_branch;

static gint branch_order(gconstpointer a, gconstpointer b)
{
    const placed_branch *p = a, *q = b;
    return p->branch.line != q->branch.line ? NYTP_ORDER(p->branch.line, q->branch.line)
                                            : NYTP_ORDER(p->place, q->place);
}

/* Returns the branches of a unit by line, those of a line in the order of the source. */
static GArray *branches_of(const cover_unit *u)
{
    GArray *branches = NYTP_ARRAY(placed_branch);
    g_autofree uint8_t *seen = nytp_cover_seen(u);
    for (guint i = 0; i < u->points->len; i++) {
        const nytp_cover_point *p = &g_array_index(u->points, nytp_cover_point, i);
        const nytp_cover_branch branch = {
            .line = p->line, .op = p->op, .want = p->want, .has_values = p->has_values, .seen = seen[i]};
        const placed_branch b = {branch, i, 0};
        if (p->op != NYTP_COVER_STATEMENT)
            g_array_append_val(branches, b);
    }
    g_array_sort(branches, branch_order);
    return branches;
}

/* How many of the branches from first on are of its line and variant. */
static guint on_line(const GArray *branches, guint first)
{
    const placed_branch *b = &g_array_index(branches, placed_branch, first);
    guint count = 1;
    while (first + count < branches->len && b[count].branch.line == b->branch.line && b[count].run == b->run)
        count++;
    return count;
}

/* Returns where `into` has as many branches of that line, from `from` on; its length if nowhere. */
static guint find_line(const GArray *into, guint from, uint32_t line, guint count)
{
    while (from < into->len &&
           (g_array_index(into, placed_branch, from).branch.line != line || on_line(into, from) != count))
        from += on_line(into, from);
    return from;
}

/* Adds a variant to those that are in `into` from `from` on: lines with the same number of branches are the
 * same. */
static void add_variant(GArray *into, guint from, const GArray *branches)
{
    const guint before = into->len;
    for (guint i = 0, count; i < branches->len; i += count) {
        const placed_branch *first = &g_array_index(branches, placed_branch, i);
        count = on_line(branches, i);
        guint at = before > from ? find_line(into, from, first->branch.line, count) : into->len;
        if (at >= into->len) {
            const guint run = into->len + 1;
            g_array_append_vals(into, first, count);
            for (guint n = 0; n < count; n++)
                g_array_index(into, placed_branch, run - 1 + n).run = run;
            continue;
        }
        for (guint n = 0; n < count; n++) {
            nytp_cover_branch *b = &g_array_index(into, placed_branch, at + n).branch;
            b->seen |= first[n].branch.seen;
            b->has_values |= first[n].branch.has_values;
        }
    }
}

static void add_sub(GArray *subs, const cover_unit *u)
{
    bool ran = false;
    for (guint i = 0; i < u->points->len && !ran; i++)
        ran = seen_of(u, i) != 0;
    nytp_cover_sub *last = subs->len > 0 ? &g_array_index(subs, nytp_cover_sub, subs->len - 1) : NULL;
    if (last != NULL && last->line == u->line && nytp_str_same(last->name, u->name) && u->twin == 0) {
        last->ran |= ran; /* another variant */
        return;
    }
    const nytp_cover_sub sub = {u->name, u->line, ran};
    g_array_append_val(subs, sub);
}

/* ---- files ---- */

static gint line_order(gconstpointer a, gconstpointer b)
{
    return NYTP_ORDER(((const nytp_cover_line *)a)->line, ((const nytp_cover_line *)b)->line);
}

/* A line has run if one of its statements has. */
static void join_lines(nytp_cover_file *f)
{
    guint kept = 0;
    g_array_sort(f->lines, line_order);
    NYTP_EACH(const nytp_cover_line, each, f->lines) {
        const nytp_cover_line line = *each;
        nytp_cover_line *last = kept > 0 ? &g_array_index(f->lines, nytp_cover_line, kept - 1) : NULL;
        if (last != NULL && last->line == line.line)
            last->ran |= line.ran;
        else
            g_array_index(f->lines, nytp_cover_line, kept++) = line;
    }
    g_array_set_size(f->lines, kept);
}

static void sort_branches(nytp_cover_file *f, GArray *placed)
{
    for (guint i = 0; i < placed->len; i++)
        g_array_index(placed, placed_branch, i).place = i;
    g_array_sort(placed, branch_order);
    NYTP_EACH(const placed_branch, one, placed)
        g_array_append_val(f->branches, one->branch);
}

static gint sub_order(gconstpointer a, gconstpointer b)
{
    const nytp_cover_sub *s = a, *t = b;
    return s->line != t->line ? NYTP_ORDER(s->line, t->line) : nytp_str_order(s->name, t->name);
}

static nytp_cover_count count_of(const nytp_cover_branch *branch, uint32_t outcomes)
{
    const uint32_t counted = outcomes & ~branch->excused;
    return (nytp_cover_count){(uint64_t)__builtin_popcount(branch->seen & counted),
                              (uint64_t)__builtin_popcount(counted)};
}

nytp_cover_count nytp_cover_branch_count(const nytp_cover_branch *branch)
{
    return count_of(branch, NYTP_COVER_BOTH_WAYS);
}

nytp_cover_count nytp_cover_condition_count(const nytp_cover_branch *branch)
{
    return count_of(branch, branch->has_values ? NYTP_COVER_BOTH_VALUES : 0);
}

static void add_count(nytp_cover_count *sum, nytp_cover_count count)
{
    sum->seen += count.seen;
    sum->all += count.all;
}

const char *const nytp_cover_criteria[] = {"lines", "branches", "conditions", "subs"};

void nytp_cover_counts_add(nytp_cover_counts *sum, const nytp_cover_counts *counts)
{
    for (size_t i = 0; i < NYTP_COVER_CRITERIA; i++)
        add_count(&sum->of[i], counts->of[i]);
}

void nytp_cover_recount(nytp_cover_file *f)
{
    nytp_cover_count *const of = f->counts.of;
    f->counts = (nytp_cover_counts){{{0, 0}}};
    NYTP_EACH(const nytp_cover_line, line, f->lines)
        add_count(&of[NYTP_COVER_LINES], (nytp_cover_count){line->ran, 1});
    NYTP_EACH(const nytp_cover_sub, sub, f->subs)
        add_count(&of[NYTP_COVER_SUBS], (nytp_cover_count){sub->ran, 1});
    NYTP_EACH(const nytp_cover_branch, branch, f->branches) {
        add_count(&of[NYTP_COVER_BRANCHES], nytp_cover_branch_count(branch));
        add_count(&of[NYTP_COVER_CONDITIONS], nytp_cover_condition_count(branch));
    }
}

/* Makes the file of the units, which are all of one source and in order. */
static nytp_cover_file *file_of(const cover_source *source, cover_unit *const *units, guint unit_count)
{
    nytp_cover_file *f = g_new0(nytp_cover_file, 1);
    g_autoptr(GArray) placed = NYTP_ARRAY(placed_branch);
    guint from = 0;
    *f = (nytp_cover_file){.name = source->name,
                           .path = source->path,
                           .size = source->state.size,
                           .mtime = source->state.mtime,
                           .is_eval = source->is_eval};
    f->lines = NYTP_ARRAY(nytp_cover_line);
    f->branches = NYTP_ARRAY(nytp_cover_branch);
    f->subs = NYTP_ARRAY(nytp_cover_sub);
    for (guint i = 0; i < unit_count; i++) {
        g_autoptr(GArray) branches = branches_of(units[i]);
        if (i == 0 || order_of_variants(units[i - 1], units[i]) != 0)
            from = placed->len;
        add_lines(f->lines, units[i]);
        add_variant(placed, from, branches);
        if (units[i]->kind == NYTP_COVER_SUB)
            add_sub(f->subs, units[i]);
    }
    join_lines(f);
    sort_branches(f, placed);
    g_array_sort(f->subs, sub_order);
    nytp_cover_recount(f);
    return f;
}

static void free_file(gpointer file)
{
    nytp_cover_file *f = file;
    g_array_unref(f->lines);
    g_array_unref(f->branches);
    g_array_unref(f->subs);
    g_free(f);
}

static gint file_order(gconstpointer a, gconstpointer b)
{
    const nytp_cover_file *f = *(const nytp_cover_file *const *)a, *g = *(const nytp_cover_file *const *)b;
    return f->is_eval != g->is_eval ? NYTP_ORDER(f->is_eval, g->is_eval) : strcmp(f->name, g->name);
}

GPtrArray *nytp_cover_files(nytp_cover *cover)
{
    if (cover->files != NULL)
        return cover->files;
    g_autoptr(GPtrArray) units = g_ptr_array_new();
    NYTP_EACH(cover_unit, unit, cover->units)
        g_ptr_array_add(units, unit);
    g_ptr_array_sort(units, unit_order);
    cover->files = g_ptr_array_new_with_free_func(free_file);
    for (guint i = 0, next; i < units->len; i = next) {
        cover_unit *const *first = (cover_unit *const *)&units->pdata[i];
        for (next = i;
             next < units->len && ((const cover_unit *)units->pdata[next])->source == (*first)->source;)
            next++;
        const cover_source *source = &g_array_index(cover->sources, cover_source, (*first)->source);
        g_ptr_array_add(cover->files, file_of(source, first, next - i));
    }
    g_ptr_array_sort(cover->files, file_order);
    return cover->files;
}

const nytp_cover_file *nytp_cover_file_named(nytp_cover *cover, const char *name)
{
    const GPtrArray *files = nytp_cover_files(cover);
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        if (!f->is_eval && strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

/* ---- parts of a file ---- */

static int order_of_lines(const void *a, const void *b)
{
    return NYTP_ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
}

const nytp_cover_line *nytp_cover_line_at(const nytp_cover_file *f, uint32_t line)
{
    return f->lines->len > 0
               ? bsearch(&line, f->lines->data, f->lines->len, sizeof(nytp_cover_line), order_of_lines)
               : NULL;
}

/* Keeps the items that are on these lines; the offset is that of an item's line. */
static void keep(GArray *items, size_t offset, const GArray *lines)
{
    const size_t size = g_array_get_element_size(items);
    guint kept = 0;
    for (guint i = 0; i < items->len; i++) {
        const char *item = items->data + i * size;
        if (bsearch(item + offset, lines->data, lines->len, sizeof(uint32_t), order_of_lines) != NULL)
            memmove(items->data + kept++ * size, item, size);
    }
    g_array_set_size(items, kept);
}

void nytp_cover_keep_lines(nytp_cover_file *f, const GArray *lines)
{
    keep(f->lines, offsetof(nytp_cover_line, line), lines);
    keep(f->branches, offsetof(nytp_cover_branch, line), lines);
    keep(f->subs, offsetof(nytp_cover_sub, line), lines);
    nytp_cover_recount(f);
}
