#include "compare/comparison.h"
#include "base/str.h"

#include <math.h>
#include <string.h>

static void free_hashes(gpointer hashes)
{
    if (hashes != NULL)
        g_array_unref(hashes);
}

nytp_comparison *nytp_comparison_new(void)
{
    nytp_comparison *c = g_new0(nytp_comparison, 1);
    nytp_keys_init(&c->keys);
    NYTP_EACH_SIDE(side) {
        c->runs[side] = g_ptr_array_new_with_free_func((GDestroyNotify)nytp_run_free);
        c->others[side] = g_ptr_array_new_with_free_func((GDestroyNotify)nytp_run_free);
        c->text[side] = g_ptr_array_new_with_free_func(free_hashes);
        c->paths[side] = g_ptr_array_new_with_free_func(g_free);
    }
    c->name = g_string_new(NULL);
    return c;
}

void nytp_comparison_free(nytp_comparison *comparison)
{
    if (comparison == NULL)
        return;
    nytp_comparison_forget_rows(comparison);
    NYTP_EACH_SIDE(side) {
        g_ptr_array_free(comparison->runs[side], TRUE);
        g_ptr_array_free(comparison->others[side], TRUE);
        g_ptr_array_free(comparison->text[side], TRUE);
        g_ptr_array_free(comparison->paths[side], TRUE);
    }
    nytp_keys_clear(&comparison->keys);
    g_string_free(comparison->name, TRUE);
    g_free(comparison);
}

/* Keeps the text of files of which the side has none yet. */
static void add_text(GPtrArray *of_side, const nytp_run *run, const nytp_profile *profile,
                     const nytp_source_text *text)
{
    for (size_t i = 0; i < nytp_profile_file_count(profile); i++) {
        GArray *hashes = nytp_source_text_hashes(text, nytp_profile_file(profile, i)->fid);
        const uint32_t key = run->file_key[i];
        if (hashes == NULL)
            continue;
        if (key >= of_side->len)
            g_ptr_array_set_size(of_side, (gint)key + 1);
        if (of_side->pdata[key] == NULL)
            of_side->pdata[key] = g_array_ref(hashes);
    }
}

/* Keeps the names of files of which the side has none yet; those of evals have numbers. */
static void add_paths(GPtrArray *of_side, const nytp_run *run, const nytp_profile *profile)
{
    for (size_t i = 0; i < nytp_profile_file_count(profile); i++) {
        const nytp_file *file = nytp_profile_file(profile, i);
        const uint32_t key = run->file_key[i];
        if (key >= of_side->len)
            g_ptr_array_set_size(of_side, (gint)key + 1);
        if (of_side->pdata[key] == NULL && file->name.length > 0 && file->eval_fid == 0)
            of_side->pdata[key] = g_strndup(file->name.bytes, file->name.length);
    }
}

void nytp_comparison_add(nytp_comparison *comparison, enum nytp_side side, const nytp_profile *profile,
                         nytp_calltree *stacks, const nytp_source_text *text)
{
    nytp_run *run = nytp_run_new(&comparison->keys, profile, stacks);
    if (comparison->shows_paths)
        add_paths(comparison->paths[side], run, profile);
    nytp_comparison_forget_rows(comparison);
    g_ptr_array_add(comparison->runs[side], run);
    if (text != NULL)
        add_text(comparison->text[side], run, profile, text);
}

void nytp_comparison_add_durations(nytp_comparison *comparison, enum nytp_side side,
                                   const nytp_sub_durations *durations)
{
    const GPtrArray *runs = comparison->runs[side];
    nytp_run_add_durations(g_ptr_array_index(runs, runs->len - 1), &comparison->keys, durations);
}

void nytp_comparison_add_label_durations(nytp_comparison *comparison, enum nytp_side side,
                                         const GArray *durations)
{
    const GPtrArray *runs = comparison->runs[side];
    nytp_run_add_label_durations(g_ptr_array_index(runs, runs->len - 1), &comparison->keys, durations);
}

void nytp_comparison_switch(nytp_comparison *comparison)
{
    NYTP_EACH_SIDE(side) {
        GPtrArray *runs = comparison->runs[side];
        comparison->runs[side] = comparison->others[side];
        comparison->others[side] = runs;
    }
}

size_t nytp_comparison_runs(const nytp_comparison *comparison, enum nytp_side side)
{
    return comparison->runs[side]->len;
}

static const nytp_run *run_at(const nytp_comparison *c, int side, guint i)
{
    return g_ptr_array_index(c->runs[side], i);
}

const nytp_measure *nytp_comparison_measure(const nytp_comparison *comparison)
{
    return &run_at(comparison, NYTP_NEW, 0)->measure;
}

/* Returns how many runs are made of samples of time. */
static guint sampled_runs(const nytp_comparison *c)
{
    guint count = 0;
    NYTP_EACH_SIDE(side)
        for (guint i = 0; i < c->runs[side]->len; i++)
            count += nytp_run_is_of_shares(run_at(c, side, i));
    return count;
}

bool nytp_comparison_is_by_share(const nytp_comparison *comparison)
{
    return sampled_runs(comparison) > 0;
}

bool nytp_comparison_measures_waits(const nytp_comparison *comparison)
{
    bool all = true;
    for (int side = 0; side < NYTP_SIDES; side++)
        for (guint i = 0; i < comparison->runs[side]->len; i++)
            all &= run_at(comparison, side, i)->measures_waits;
    return all;
}

bool nytp_comparison_knows_kept(const nytp_comparison *comparison)
{
    bool all = true;
    NYTP_EACH_SIDE(side)
        for (guint i = 0; i < comparison->runs[side]->len; i++)
            all &= !run_at(comparison, side, i)->lacks_kept;
    return all;
}

bool nytp_comparison_is_mixed(const nytp_comparison *comparison)
{
    const guint sampled = sampled_runs(comparison);
    return sampled > 0 && sampled < comparison->runs[NYTP_OLD]->len + comparison->runs[NYTP_NEW]->len;
}

void nytp_comparison_add_waited(nytp_comparison *comparison, enum nytp_side side, uint32_t sub, double ticks,
                                nytp_waited waited)
{
    const GPtrArray *runs = comparison->runs[side];
    nytp_comparison_forget_rows(comparison);
    nytp_run_add_waited(g_ptr_array_index(runs, runs->len - 1), sub, ticks, waited);
}

size_t nytp_comparison_count(nytp_comparison *comparison, enum nytp_compared kind)
{
    return nytp_comparison_rows(comparison, kind)->len;
}

static size_t row_of(nytp_comparison *c, enum nytp_compared kind, int side, uint32_t key)
{
    const uint32_t row = key != NYTP_NO_KEY ? nytp_comparison_row_of(c, kind, side)[key] : NYTP_NO_KEY;
    return row != NYTP_NO_KEY ? row : SIZE_MAX;
}

size_t nytp_comparison_find(nytp_comparison *comparison, enum nytp_compared kind, enum nytp_side side,
                            size_t run, uint32_t number, uint32_t line)
{
    const nytp_run *of = run_at(comparison, side, (guint)run);
    uint32_t key = kind == NYTP_COMPARE_SUBS ? of->sub_key[number] : of->file_key[number];
    if (kind == NYTP_COMPARE_LINES)
        key = nytp_pairs_find(&comparison->keys.lines, (nytp_pair){key, line});
    return row_of(comparison, kind, side, key);
}

static nytp_str file_name(const nytp_comparison *c, uint32_t key)
{
    for (int side = NYTP_SIDES; side-- > 0;) {
        const char *path = key < c->paths[side]->len ? c->paths[side]->pdata[key] : NULL;
        if (path != NULL)
            return nytp_str_of(path);
    }
    return key != NYTP_NO_KEY ? nytp_names_get(c->keys.files, key)
                              : (nytp_str){"(unknown)", strlen("(unknown)"), true};
}

/* Writes "a;b;c" from its end. The outermost calls of a deep stack are left out, since names of all of them
 * would grow with the square of the depth. */
static void write_stack(nytp_comparison *c, uint32_t key)
{
    enum { DEEPEST = 64 };
    for (int depth = 0; key != 0; depth++) {
        const nytp_pair stack = nytp_pairs_get(&c->keys.stacks, key);
        const nytp_str sub = nytp_names_get(c->keys.subs, stack.second);
        if (c->name->len > 0)
            g_string_prepend_c(c->name, ';');
        if (depth == DEEPEST) {
            g_string_prepend(c->name, "...");
            return;
        }
        g_string_prepend_len(c->name, sub.bytes, (gssize)sub.length);
        key = stack.first;
    }
}

static void append_name(nytp_comparison *c, nytp_str name)
{
    g_string_append_len(c->name, name.bytes, (gssize)name.length);
}

static void write_line(nytp_comparison *c, nytp_pair line)
{
    append_name(c, file_name(c, line.first));
    g_string_append_printf(c->name, ":%u", line.second);
}

/* Writes "a -> b" or, of a place that is known, "a -> b at c:1". Code outside of subs is main::RUNTIME. */
static void write_calls(nytp_comparison *c, enum nytp_compared kind, uint32_t key)
{
    const bool is_place = kind == NYTP_COMPARE_PLACES;
    const nytp_pair place = is_place ? nytp_pairs_get(&c->keys.places, key) : (nytp_pair){key, 0};
    const nytp_pair calls = nytp_pairs_get(&c->keys.calls, place.first);
    append_name(c, calls.first != NYTP_NO_KEY ? nytp_names_get(c->keys.subs, calls.first)
                                              : nytp_str_of(NYTP_RUNTIME));
    g_string_append(c->name, " -> ");
    append_name(c, nytp_names_get(c->keys.subs, calls.second));
    const nytp_pair line =
        is_place ? nytp_pairs_get(&c->keys.lines, place.second) : (nytp_pair){NYTP_NO_KEY, 0};
    if (line.first == NYTP_NO_KEY)
        return;
    g_string_append(c->name, " at ");
    write_line(c, line);
}

static nytp_str name_of(nytp_comparison *c, enum nytp_compared kind, const nytp_match *row)
{
    const uint32_t key = row->key[row->key[NYTP_NEW] != NYTP_NO_KEY ? NYTP_NEW : NYTP_OLD];
    if (row->sum_name != NULL)
        return (nytp_str){row->sum_name, strlen(row->sum_name), true};
    g_string_truncate(c->name, 0);
    switch (kind) {
    case NYTP_COMPARE_STACKS: write_stack(c, key); break;
    case NYTP_COMPARE_LINES: write_line(c, nytp_pairs_get(&c->keys.lines, key)); break;
    case NYTP_COMPARE_CALLS:
    case NYTP_COMPARE_PLACES: write_calls(c, kind, key); break;
    case NYTP_COMPARE_FILES: return file_name(c, key);
    case NYTP_COMPARE_LABELS: return nytp_names_get(c->keys.labels, key);
    case NYTP_COMPARE_KINDS: return nytp_names_get(c->keys.kinds, key);
    default: return nytp_names_get(kind == NYTP_COMPARE_PACKAGES ? c->keys.packages : c->keys.subs, key);
    }
    return (nytp_str){c->name->str, c->name->len, true};
}

/* A number of a run. whole: that of the whole run, of which times are a share in profiles of samples. */
static double value_of(const nytp_measured *m, enum nytp_figure figure, double whole)
{
    switch ((int)figure) {
    case NYTP_FIGURE_EXCL: return m->excl / whole;
    case NYTP_FIGURE_INCL: return m->incl / whole;
    case NYTP_FIGURE_COUNT: return m->count;
    case NYTP_FIGURE_WORK: return m->work / whole;
    case NYTP_FIGURE_ASLEEP: return m->asleep / whole;
    case NYTP_FIGURE_QUEUED: return m->queued / whole;
    case NYTP_FIGURE_KEPT: return m->kept;
    default: return m->count > 0 ? m->excl / whole / m->count : 0;
    }
}

/* What of a run a row stands for; a sum stands for several rows. */
static nytp_measured measured(const nytp_comparison *c, enum nytp_compared kind, size_t index, int side,
                              const nytp_run *run)
{
    const GArray *rows = c->rows[kind];
    const nytp_match *row = &g_array_index(rows, nytp_match, index);
    if (row->sum_name == NULL)
        return row->key[side] != NYTP_NO_KEY ? nytp_run_get(run, kind, row->key[side]) : (nytp_measured){0};
    nytp_measured sum = {0};
    for (guint i = (guint)index + 1; i < rows->len; i++) {
        const nytp_match *part = &g_array_index(rows, nytp_match, i);
        if (part->sum != index + 1)
            break; /* the parts follow their sum, after members that both sides have */
        const nytp_measured m = measured(c, kind, i, side, run);
        nytp_measured_add(&sum, &m);
    }
    return sum;
}

/* How long the calls took that a row of subs or labels stands for. */
static void sum_durations(const nytp_comparison *c, enum nytp_compared kind, size_t index, int side,
                          const nytp_run *run, nytp_distribution *sum)
{
    const GArray *rows = c->rows[kind];
    const nytp_match *row = &g_array_index(rows, nytp_match, index);
    if (row->sum_name == NULL && row->key[side] != NYTP_NO_KEY)
        nytp_run_sum_durations(run, kind, row->key[side], sum);
    for (guint i = (guint)index + 1; row->sum_name != NULL && i < rows->len; i++) {
        if (g_array_index(rows, nytp_match, i).sum != index + 1)
            break; /* as in measured() */
        sum_durations(c, kind, i, side, run, sum);
    }
}

static double duration_of(const nytp_comparison *c, enum nytp_compared kind, size_t index, int side,
                          const nytp_run *run, enum nytp_figure figure)
{
    nytp_distribution sum;
    nytp_distribution_init(&sum, NYTP_64_PARTS);
    sum_durations(c, kind, index, side, run, &sum);
    const double ticks =
        nytp_distribution_get(&sum, (enum nytp_duration)((int)figure - NYTP_FIGURE_DURATION));
    nytp_distribution_clear(&sum);
    return ticks > 0 ? ticks / run->duration_ticks_per_sec : 0;
}

enum { WHOLE = -1 };

/* Returns that of the bytes of a row in a run; NaN if it is not known, as of stacks and arcs. */
static double variance_of(const nytp_run *run, int kind, enum nytp_figure figure, const nytp_measured *m)
{
    const bool has_kinds = kind < NYTP_COMPARE_STACKS || kind == NYTP_COMPARE_KINDS;
    const bool is_known =
        run->whole_variance > 0 && has_kinds && (kind == WHOLE || figure == NYTP_FIGURE_EXCL);
    const double error = nytp_kinds_error(m->variance, run->whole_variance);
    return is_known ? error * error : NAN;
}

/* index: a row, or WHOLE. */
static nytp_values values_of(const nytp_comparison *c, int kind, size_t index, enum nytp_figure figure)
{
    const bool by_share = nytp_comparison_is_by_share(c);
    nytp_values n = {0};
    NYTP_EACH_SIDE(side) {
        n.count[side] = c->runs[side]->len;
        n.of[side] = g_new(double, n.count[side] + 1);
        for (guint i = 0; i < n.count[side]; i++) {
            const nytp_run *run = run_at(c, side, i);
            const nytp_measured m =
                kind == WHOLE ? run->whole : measured(c, (enum nytp_compared)kind, index, side, run);
            const bool is_incl = figure == NYTP_FIGURE_INCL || nytp_figure_is_duration(figure);
            const double share = (is_incl ? m.incl : m.excl) / run->whole.excl;
            if (kind == WHOLE && nytp_figure_is_duration(figure))
                n.of[side][i] = m.incl;
            else if (nytp_figure_is_duration(figure))
                n.of[side][i] = duration_of(c, (enum nytp_compared)kind, index, side, run, figure);
            else
                n.of[side][i] = value_of(&m, figure, by_share && kind != WHOLE ? run->whole.excl : 1);
            n.largest_share = fmax(n.largest_share, share);
            n.samples[side] += run->samples;
            n.variance[side] += variance_of(run, kind, figure, &m);
            if (nytp_measure_is_bytes(&run->measure) && run->measure.samples_per_base > 0)
                n.bytes_per_sample = fmax(n.bytes_per_sample, 1 / run->measure.samples_per_base);
        }
    }
    return n;
}

static void set_change(const nytp_comparison *c, int kind, size_t index, enum nytp_figure figure,
                       nytp_change *change)
{
    nytp_values n = values_of(c, kind, index, figure);
    NYTP_EACH_SIDE(side) {
        const nytp_middle middle = nytp_middle_of(n.of[side], n.count[side]);
        change->median[side] = middle.median;
        change->spread[side] = middle.spread;
    }
    change->difference = change->median[NYTP_NEW] - change->median[NYTP_OLD];
    nytp_judge(&n, figure, kind != WHOLE && nytp_comparison_is_by_share(c), change);
    g_free(n.of[NYTP_OLD]);
    g_free(n.of[NYTP_NEW]);
}

static void set_line(nytp_comparison *c, int side, uint32_t key, nytp_change *change)
{
    const nytp_pair line = nytp_pairs_get(&c->keys.lines, key);
    change->line[side] = line.second;
    change->file = row_of(c, NYTP_COMPARE_FILES, side, line.first);
}

static void set_calls(nytp_comparison *c, int side, uint32_t key, nytp_change *change)
{
    const nytp_pair calls = nytp_pairs_get(&c->keys.calls, key);
    change->caller = row_of(c, NYTP_COMPARE_SUBS, side, calls.first);
    change->callee = row_of(c, NYTP_COMPARE_SUBS, side, calls.second);
}

/* Sets what a line, calls or a place consist of. */
static void set_parts(nytp_comparison *c, enum nytp_compared kind, int side, uint32_t key,
                      nytp_change *change)
{
    if (kind == NYTP_COMPARE_LINES)
        set_line(c, side, key, change);
    if (kind == NYTP_COMPARE_CALLS)
        set_calls(c, side, key, change);
    if (kind != NYTP_COMPARE_PLACES)
        return;
    const nytp_pair place = nytp_pairs_get(&c->keys.places, key);
    set_calls(c, side, place.first, change);
    set_line(c, side, place.second, change);
}

void nytp_comparison_get(nytp_comparison *comparison, enum nytp_compared kind, size_t index,
                         enum nytp_figure figure, nytp_change *change)
{
    const nytp_match *row = &g_array_index(nytp_comparison_rows(comparison, kind), nytp_match, index);
    *change = (nytp_change){.name = name_of(comparison, kind, row),
                            .is_sum = row->sum_name != NULL,
                            .caller = SIZE_MAX,
                            .callee = SIZE_MAX,
                            .file = SIZE_MAX};
    NYTP_EACH_SIDE(side) {
        change->is_in[side] = row->key[side] != NYTP_NO_KEY || change->is_sum;
        if (row->key[side] != NYTP_NO_KEY)
            set_parts(comparison, kind, side, row->key[side], change);
    }
    set_change(comparison, kind, index, figure, change);
}

void nytp_comparison_whole(nytp_comparison *comparison, enum nytp_figure figure, nytp_change *change)
{
    *change = (nytp_change){.name = {"whole program", strlen("whole program"), true}, .is_in = {true, true}};
    set_change(comparison, WHOLE, 0, figure, change);
}
