/* Merges the string evals of one place.
 *
 * A program that evals a string in a loop leaves a file for each run. Evals with the same text are the same
 * code. If a place has very many texts, all its evals are merged: they are too many to look at one by one.
 */
#include "base/order.h"
#include "base/str.h"
#include "model/eval_name.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/lines.h"
#include "model/profile.h"
#include "model/records.h"
#include "model/subs.h"

#include <string.h>

enum { MOST_TEXTS = 200 /* of a place, whose evals stay apart; stock has the same limit */ };

/* The depth of a file. OUTERMOST: it is not an eval. Each eval is one deeper than the file that called it.
 * NOWHERE: that file is not known, or the eval was called from itself (in a damaged profile); such evals stay
 * apart. */
enum { UNSEEN, OUTERMOST, VISITING = INT32_MAX - 1, NOWHERE };

typedef struct eval {
    nytp_file *f;
    uint32_t depth;
    uint32_t parent; /* fid of the file that called it, or of the eval that this was merged into */
} eval;

const nytp_file *nytp_profile_merged_file(const nytp_profile *profile, uint32_t fid)
{
    const nytp_file *f = nytp_profile_find_file(profile, fid);
    return f != NULL && f->merged_into != 0 ? nytp_profile_find_file(profile, f->merged_into) : f;
}

static uint32_t merged_fid(const nytp_profile *p, uint32_t fid)
{
    const nytp_file *f = nytp_profile_find_file(p, fid);
    return f != NULL && f->merged_into != 0 ? f->merged_into : fid;
}

/* Finds the depth of a file, and of the UNSEEN files that called it: goes outwards, then back. */
static void find_depth(const nytp_profile *p, const nytp_file *f, uint32_t *depths)
{
    const nytp_file *outer = f;
    uint32_t steps = 0;
    while (outer != NULL && depths[outer->number] == UNSEEN) {
        depths[outer->number] = outer->eval_fid != 0 ? VISITING : OUTERMOST;
        if (outer->eval_fid == 0)
            break;
        outer = nytp_profile_find_file(p, outer->eval_fid);
        steps++;
    }
    uint32_t depth = outer != NULL && depths[outer->number] < VISITING ? depths[outer->number] : NOWHERE;
    for (const nytp_file *inner = f; steps > 0; steps--) {
        depths[inner->number] = depth != NOWHERE ? depth + steps : NOWHERE;
        inner = nytp_profile_find_file(p, inner->eval_fid);
    }
}

static int compare_depths(const eval *a, const eval *b)
{
    return NYTP_ORDER(a->depth, b->depth);
}

static gint by_depth(gconstpointer a, gconstpointer b)
{
    return compare_depths(a, b);
}

static int compare_places(const eval *a, const eval *b)
{
    return nytp_order2(NYTP_ORDER(a->parent, b->parent), NYTP_ORDER(a->f->eval_line, b->f->eval_line));
}

/* Evals without text differ from all others. */
static int compare_texts(const eval *a, const eval *b)
{
    return nytp_order3(NYTP_ORDER(a->f->source_bytes, b->f->source_bytes),
                       NYTP_ORDER(a->f->source_hash, b->f->source_hash),
                       a->f->source_bytes == 0 ? NYTP_ORDER(a->f->number, b->f->number) : 0);
}

static int by_place_and_text(const void *x, const void *y)
{
    const eval *a = x, *b = y;
    return nytp_order3(compare_places(a, b), compare_texts(a, b), NYTP_ORDER(a->f->number, b->f->number));
}

typedef int compare_fn(const eval *a, const eval *b);

/* Returns the index past the last of the evals that follow `first` and compare equal to it. */
static size_t end_of_run(const eval *evals, size_t first, size_t count, compare_fn *compare)
{
    size_t end = first + 1;
    while (end < count && compare(&evals[first], &evals[end]) == 0)
        end++;
    return end;
}

static void merge_into_first_seen(eval *evals, size_t count)
{
    const nytp_file *first = evals[0].f;
    for (size_t i = 1; i < count; i++)
        if (evals[i].f->number < first->number)
            first = evals[i].f;
    for (size_t i = 0; i < count; i++)
        if (evals[i].f != first)
            evals[i].f->merged_into = first->fid;
}

/* Merges the evals of one place, which are sorted by text. */
static void merge_place(eval *evals, size_t count)
{
    size_t texts = 1;
    for (size_t i = 1; i < count; i++)
        texts += compare_texts(&evals[i - 1], &evals[i]) != 0;
    if (texts > MOST_TEXTS) {
        merge_into_first_seen(evals, count);
        return;
    }
    for (size_t i = 0, end; i < count; i = end) {
        end = end_of_run(evals, i, count, compare_texts);
        merge_into_first_seen(evals + i, end - i);
    }
}

/* Merges the evals of one depth, after those of all lower depths. */
static void merge_depth(const nytp_profile *p, eval *evals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        evals[i].parent = merged_fid(p, evals[i].f->eval_fid);
    qsort(evals, count, sizeof *evals, by_place_and_text);
    for (size_t i = 0, end; i < count; i = end) {
        end = end_of_run(evals, i, count, compare_places);
        merge_place(evals + i, end - i);
    }
}

/* Sets merged_into of the evals that become part of another one. Returns whether there are evals. */
static bool choose_merged_files(const nytp_profile *p)
{
    g_autoptr(GArray) evals = NYTP_ARRAY(eval);
    uint32_t *depths = g_new0(uint32_t, p->files.count); /* by number */
    for (guint i = 0; i < p->files.count; i++) {
        eval e = {.f = nytp_records_at(&p->files, i)};
        find_depth(p, e.f, depths);
        e.depth = depths[i];
        if (e.depth > OUTERMOST && e.depth != NOWHERE)
            g_array_append_val(evals, e);
    }
    g_free(depths);
    g_array_sort(evals, by_depth);
    eval *all = (eval *)(void *)evals->data;
    const bool any = evals->len > 0;
    for (size_t i = 0, end; i < evals->len; i = end) {
        end = end_of_run(all, i, evals->len, compare_depths);
        merge_depth(p, all + i, end - i);
    }
    return any;
}

static void move_line(void *context, void *record)
{
    nytp_line_sum *line = record;
    line->fid = merged_fid(context, line->fid);
}

static void move_waited(void *context, void *record)
{
    nytp_line_waited *line = record;
    line->fid = merged_fid(context, line->fid);
}

static void move_level(void *context, void *record)
{
    nytp_level *level = record;
    level->fid = merged_fid(context, level->fid);
}

/* Returns the name without the numbers of evals. The caller must g_free() it. */
static GBytes *unnumbered(const nytp_file *f)
{
    size_t length;
    char *name = nytp_eval_name_merge(f->name, &length);
    return g_bytes_new_take(name, length);
}

/* Returns the new names of files, by their number. An eval has the name that programs give it which see names
 * of subs only, "(eval 0)[t.pl:26]", unless another file would have that name too: evals with other texts at
 * the same place keep their numbers. bytes NULL: the file is no eval, or was merged into another. */
static GArray *new_file_names(nytp_profile *p)
{
    GHashTable *count =
        g_hash_table_new_full(nytp_hash_of_bytes, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    GArray *names = NYTP_ZEROED_ARRAY(nytp_str);
    g_array_set_size(names, p->files.count);
    NYTP_EACH_RECORD(const nytp_file, f, &p->files) {
        GBytes *name = f->merged_into == 0 ? unnumbered(f) : NULL;
        if (name != NULL)
            g_hash_table_replace(count, name,
                                 GUINT_TO_POINTER(1 + GPOINTER_TO_UINT(g_hash_table_lookup(count, name))));
    }
    for (guint i = 0; i < p->files.count; i++) {
        const nytp_file *f = nytp_records_at(&p->files, i);
        if (f->merged_into != 0 || f->eval_fid == 0)
            continue;
        g_autoptr(GBytes) name = unnumbered(f);
        g_array_index(names, nytp_str, i) = f->name;
        if (GPOINTER_TO_UINT(g_hash_table_lookup(count, name)) == 1) {
            gsize length;
            const char *bytes = g_bytes_get_data(name, &length);
            g_array_index(names, nytp_str, i) =
                (nytp_str){g_string_chunk_insert_len(p->texts, bytes, (gssize)length), length, f->name.utf8};
        }
    }
    g_hash_table_destroy(count);
    return names;
}

static void rename_files(nytp_profile *p, const GArray *names)
{
    for (guint i = 0; i < p->files.count; i++)
        if (g_array_index(names, nytp_str, i).bytes != NULL)
            ((nytp_file *)nytp_records_at(&p->files, i))->name = g_array_index(names, nytp_str, i);
}

/* Returns the new name of a sub in an eval that was merged or renamed, if the eval's name is part of it: for
 * "main::__ANON__[(eval 9)[t.pl:2]:1]", merged into eval 5, the same with the name of that. The caller must
 * g_free() it. NULL: no change. */
static char *new_name(const nytp_profile *p, const GArray *file_names, nytp_str name, const nytp_range *range,
                      size_t *length)
{
    const nytp_file *f = nytp_profile_find_file(p, range->fid),
                    *merged = nytp_profile_merged_file(p, range->fid);
    nytp_str to =
        f != NULL ? g_array_index(file_names, nytp_str, merged->number) : (nytp_str){NULL, 0, false};
    if (to.bytes == NULL || f->name.length == 0 || nytp_str_same(to, f->name))
        return NULL;
    const char *at = memmem(name.bytes, name.length, f->name.bytes, f->name.length);
    if (at == NULL)
        return NULL;
    GString *made = g_string_new_len(name.bytes, at - name.bytes);
    g_string_append_len(made, to.bytes, (gssize)to.length);
    const char *rest = at + f->name.length;
    g_string_append_len(made, rest, name.bytes + name.length - rest);
    *length = made->len;
    return g_string_free(made, FALSE);
}

/* Adds a sub and its ranges, as they are after merging, to the new subs. Returns its number there. */
static uint32_t move_sub(const nytp_profile *p, const GArray *file_names, nytp_subs *to, uint32_t number)
{
    nytp_sub sub;
    nytp_profile_sub(p, number, &sub);
    nytp_str name = sub.name;
    char *made = NULL;
    for (size_t i = 0; i < sub.range_count && made == NULL; i++)
        made = new_name(p, file_names, name, &sub.ranges[i], &name.length);
    if (made != NULL)
        name.bytes = made;
    uint32_t moved = nytp_subs_copy(to, name, &p->subs, number);
    g_free(made);
    for (size_t i = 0; i < sub.range_count; i++) {
        nytp_range range = sub.ranges[i];
        range.fid = merged_fid(p, range.fid);
        nytp_subs_add_range(to, moved, range);
    }
    return moved;
}

typedef struct moving {
    const nytp_profile *profile;
    const uint32_t *moved; /* new numbers of subs, by the old ones */
} moving;

static void move_arc(void *context, void *record)
{
    const moving *m = context;
    nytp_arc *arc = record;
    arc->caller = m->moved[arc->caller];
    arc->callee = m->moved[arc->callee];
    arc->fid = merged_fid(m->profile, arc->fid);
}

/* Returns the new numbers. The arcs, which take the most memory, are changed in place. */
static uint32_t *move_subs(nytp_profile *p, const GArray *file_names)
{
    nytp_subs to;
    nytp_subs_init(&to);
    uint32_t count = p->subs.entries->len;
    uint32_t *moved = g_new(uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        moved[i] = move_sub(p, file_names, &to, i);
    nytp_subs_change_arcs(&p->subs, move_arc, &(moving){p, moved});
    nytp_records arcs = p->subs.arcs;
    p->subs.arcs = to.arcs;
    to.arcs = arcs;
    nytp_subs_clear(&p->subs);
    p->subs = to;
    return moved;
}

uint32_t *nytp_profile_move_evals(nytp_profile *profile)
{
    profile->evals_merged = true;
    g_array_set_size(profile->eval_ranges, 0);
    if (!choose_merged_files(profile))
        return NULL;
    g_autoptr(GArray) file_names = new_file_names(profile);
    nytp_lines_change(profile->lines, move_line, move_level, profile);
    nytp_records_change(&profile->line_waits, move_waited, profile, nytp_line_waited_join);
    uint32_t *moved = move_subs(profile, file_names);
    rename_files(profile, file_names);
    return moved;
}

void nytp_profile_merge_evals(nytp_profile *profile)
{
    g_free(nytp_profile_move_evals(profile));
}
