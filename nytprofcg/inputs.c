#include "inputs.h"

#include "calls/call_statements.h"
#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "model/eval_name.h"
#include "model/grow.h"
#include "model/measure.h"
#include "model/profile.h"

#include <math.h>

/* A profile that was read, and what was measured of its calls. */
typedef struct input {
    char *view_name;
    uint32_t view;         /* its number */
    nytp_profile *profile; /* NULL: it is the sum */
    nytp_calltree *tree;   /* its calls; none if it does not have them one by one */
    nytp_call_statements *statements;
    double ticks_per_sec;
    cg_measured measured[CG_BYTES]; /* by numbers of its own subs, */
    uint32_t *subs;                 /* of which these are the numbers in the sum */
    bool measures_statements;
} input;

static void clear_input(void *record)
{
    input *one = record;
    for (int amount = 0; amount < CG_BYTES; amount++)
        nytp_records_clear(&one->measured[amount].arcs);
    g_free(one->view_name);
    g_free(one->subs);
    nytp_call_statements_free(one->statements);
    nytp_calltree_free(one->tree);
    nytp_profile_free(one->profile);
}

static void clear_view(void *view)
{
    g_free(((cg_view *)view)->name);
    nytp_profile_free(((cg_view *)view)->profile);
}

static void clear_stacks(void *stacks)
{
    g_free(((cg_stacks *)stacks)->subs);
}

cg_inputs *cg_inputs_new(void)
{
    cg_inputs *inputs = g_new0(cg_inputs, 1);
    for (int amount = 0; amount < CG_AMOUNTS; amount++)
        nytp_records_init(&inputs->measured[amount].arcs, sizeof(nytp_arc), offsetof(nytp_arc, count));
    nytp_records_init(&inputs->turns, sizeof(nytp_turn), offsetof(nytp_turn, to) + sizeof(uint32_t));
    inputs->views = NYTP_ARRAY(cg_view);
    g_array_set_clear_func(inputs->views, clear_view);
    inputs->stacks = NYTP_ARRAY(cg_stacks);
    g_array_set_clear_func(inputs->stacks, clear_stacks);
    inputs->added = NYTP_ARRAY(input);
    g_array_set_clear_func(inputs->added, clear_input);
    inputs->measures_statements = true;
    return inputs;
}

void cg_inputs_free(cg_inputs *inputs)
{
    for (int amount = 0; amount < CG_AMOUNTS; amount++)
        nytp_records_clear(&inputs->measured[amount].arcs);
    nytp_records_clear(&inputs->turns);
    g_array_free(inputs->stacks, TRUE);
    g_array_free(inputs->added, TRUE);
    g_array_free(inputs->views, TRUE);
    g_free(inputs);
}

/* Returns the tree that has the statements of calls; NULL if they are not known. */
static nytp_calltree *tree_of_statements(const input *one)
{
    const nytp_measure measure = nytp_profile_measure(one->profile);
    const bool is_off =
        nytp_profile_is_off(one->profile, "leave") || nytp_profile_is_off(one->profile, "stmts");
    nytp_calltree *tree = nytp_measure_is_sampled(&measure) ? one->tree
                          : is_off                          ? NULL
                                                            : nytp_call_statements_tree(one->statements);
    size_t stacks = 0, subs;
    if (tree != NULL)
        nytp_calltree_size(tree, &stacks, &subs);
    return stacks > 0 ? tree : NULL;
}

static void measure(input *one)
{
    for (int wait = 0; wait < NYTP_WAITS; wait++) {
        cg_measured *m = &one->measured[cg_amount_of(wait)];
        m->arcs = nytp_waiting_arcs(one->profile, one->tree, wait, &m->outside_ticks);
    }
    nytp_calltree *statements = tree_of_statements(one);
    one->measures_statements = statements != NULL;
    if (statements == NULL)
        return;
    one->measured[CG_STATEMENTS].arcs =
        nytp_arcs_of_amount(one->profile, statements, nytp_amount_of_calls, 1);
    one->measured[CG_STATEMENT_TIME].arcs = nytp_arcs_of_amount(one->profile, statements, NULL, 1);
}

static char *name_of_view(const nytp_profile *profile)
{
    const nytp_measure measure = nytp_profile_measure(profile);
    const nytp_str of = nytp_profile_attribute(profile, "memory_of");
    return g_strdup(nytp_measure_is_bytes(&measure) && of.length > 0 ? of.bytes : measure.noun);
}

void cg_inputs_add(cg_inputs *inputs, const char *view, nytp_profile *profile, nytp_calltree *tree,
                   nytp_call_statements *statements)
{
    input one = {.view_name = view != NULL ? g_strdup(view) : name_of_view(profile),
                 .profile = profile,
                 .tree = tree,
                 .statements = statements,
                 .ticks_per_sec = profile->ticks_per_sec};
    measure(&one);
    g_array_append_val(inputs->added, one);
}

/* Returns the number of the view of that name, which may be a new one. */
static uint32_t view_number(const cg_inputs *inputs, const char *name)
{
    for (guint i = 0; i < inputs->views->len; i++)
        if (strcmp(g_array_index(inputs->views, cg_view, i).name, name) == 0)
            return i;
    const cg_view view = {g_strdup(name), NULL};
    g_array_append_val(inputs->views, view);
    return inputs->views->len - 1;
}

static void add_turn(void *into, const void *record)
{
    ((nytp_turn *)into)->count += ((const nytp_turn *)record)->count;
}

/* Without returns it is not known which blocks have ended, and which subs. sum: NULL if the profile is it. */
static void add_turns(cg_inputs *inputs, const input *one, const nytp_profile *sum)
{
    static const char *const needed[] = {"leave", "stmts", "subs", "calls"};
    const nytp_measure measure = nytp_profile_measure(one->profile);
    bool are_known = !nytp_measure_is_sampled(&measure);
    for (size_t i = 0; i < G_N_ELEMENTS(needed); i++)
        are_known &= !nytp_profile_is_off(one->profile, needed[i]);
    NYTP_EACH_RECORD(const nytp_turn, of, nytp_call_statements_turns(one->statements)) {
        nytp_turn turn = *of;
        if (sum != NULL)
            turn.fid = nytp_profile_added_fid(sum, turn.fid, turn.to);
        if (are_known)
            nytp_records_add(&inputs->turns, &turn, add_turn);
    }
}

/* Returns the sum of the profiles of a view. One alone is the sum. */
static nytp_profile *add_up(cg_inputs *inputs, uint32_t view)
{
    guint count = 0;
    NYTP_EACH(const input, one, inputs->added)
        count += one->view == view;
    nytp_profile *sum = count > 1 ? nytp_profile_new() : NULL;
    NYTP_EACH(input, one, inputs->added) {
        if (one->view != view)
            continue;
        if (count > 1)
            nytp_profile_add_profile(sum, one->profile, NULL);
        add_turns(inputs, one, sum);
        if (count == 1)
            sum = g_steal_pointer(&one->profile);
    }
    return sum;
}

/* Adds the files of memory that the profile lacks, going by their names, also those of string evals, which
 * are the same in all profiles of a process. Returns their fids by number of the file. The caller must
 * g_free() them. */
static uint32_t *add_files(nytp_profile *profile, const nytp_profile *memory)
{
    const size_t count = nytp_profile_file_count(memory);
    uint32_t *fids = g_new0(uint32_t, count + 1), last_fid = 0; /* + 1: never NULL */
    nytp_names *names = nytp_names_new();
    g_autoptr(GArray) named = NYTP_ARRAY(uint32_t);
    for (size_t i = 0; i < nytp_profile_file_count(profile); i++) {
        const nytp_file *file = nytp_profile_file(profile, i);
        bool is_new;
        nytp_names_intern(names, &file->name, &is_new);
        if (is_new)
            g_array_append_val(named, file->fid);
        last_fid = MAX(last_fid, file->fid);
    }
    for (size_t i = 0; i < count; i++) {
        const nytp_file *file = nytp_profile_file(memory, i),
                        *outer = nytp_profile_file_by_fid(memory, file->eval_fid);
        const int64_t name = nytp_names_find(names, &file->name);
        if (name >= 0) {
            fids[i] = g_array_index(named, uint32_t, name);
            continue;
        }
        const nytp_chunk chunk = {.tag = NYTP_NEW_FID,
                                  .new_fid = {.fid = fids[i] = ++last_fid,
                                              .eval_fid = outer != NULL ? fids[outer->number] : 0,
                                              .eval_line = file->eval_line,
                                              .flags = file->flags,
                                              .name = file->name}};
        nytp_profile_add(profile, &chunk);
    }
    nytp_names_free(names);
    return fids;
}

static uint32_t moved_fid(const nytp_profile *memory, const uint32_t *fids, uint32_t fid)
{
    const nytp_file *file = nytp_profile_file_by_fid(memory, fid);
    return file != NULL ? fids[file->number] : 0;
}

static void add_subs(nytp_profile *profile, const nytp_profile *memory, const uint32_t *fids)
{
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(memory, i, &sub); i++) {
        nytp_subs_copy(&profile->subs, sub.name, &memory->subs, i);
        for (size_t r = 0; r < sub.range_count; r++) {
            const nytp_range *range = &sub.ranges[r];
            const nytp_chunk chunk = {.tag = NYTP_SUB_INFO,
                                      .sub_info = {.fid = moved_fid(memory, fids, range->fid),
                                                   .name = sub.name,
                                                   .first_line = range->first_line,
                                                   .last_line = range->last_line}};
            nytp_profile_add(profile, &chunk);
        }
    }
}

/* Returns the numbers that the subs of a profile have in the sum. The caller must g_free() them. */
static uint32_t *subs_in(nytp_profile *sum, const nytp_profile *profile)
{
    uint32_t *subs = g_new0(uint32_t, nytp_profile_sub_count(profile) + 1); /* + 1: never NULL */
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++)
        subs[i] = nytp_subs_number(&sum->subs, sub.name);
    return subs;
}

static nytp_profile *sum_of(const cg_inputs *inputs, uint32_t view)
{
    return g_array_index(inputs->views, cg_view, view).profile;
}

static void add_stacks(cg_inputs *inputs, const input *one)
{
    const nytp_names *names = nytp_calltree_names(one->tree);
    const uint32_t count = nytp_names_count(names);
    const cg_stacks stacks = {
        nytp_calltree_stacks(one->tree), g_new0(uint32_t, (size_t)count + 1), count,
        sum_of(inputs, one->view)->ticks_per_sec / nytp_calltree_ticks_per_sec(one->tree), one->view};
    for (uint32_t i = 0; i < count; i++) {
        const nytp_str name = nytp_names_get(names, i);
        stacks.subs[i] =
            nytp_is_eval_frame(name) ? CG_NO_SUB : nytp_subs_number(&sum_of(inputs, 0)->subs, name);
    }
    g_array_append_val(inputs->stacks, stacks);
}

static void renumber(uint32_t *subs, size_t count, const uint32_t *numbers)
{
    for (size_t i = 0; i < count && numbers != NULL; i++)
        if (subs[i] != CG_NO_SUB)
            subs[i] = numbers[subs[i]];
}

/* How the numbers of a profile become those of the sum. */
typedef struct moving {
    const nytp_profile *profile, *memory;
    uint32_t *fids;          /* NULL: arcs have no places */
    uint32_t *subs;          /* before evals were merged */
    const uint32_t *numbers; /* after it, by the ones before; NULL: the same */
    double scale;
} moving;

static uint32_t fid_in_profile(const moving *m, uint32_t fid)
{
    const nytp_file *file = nytp_profile_merged_file(m->profile, moved_fid(m->memory, m->fids, fid));
    return file != NULL ? file->fid : 0;
}

static void move_line(void *context, void *record)
{
    nytp_line_sum *line = record;
    line->fid = fid_in_profile(context, line->fid);
}

static uint32_t moved_sub(const moving *m, uint32_t sub)
{
    return m->numbers != NULL ? m->numbers[m->subs[sub]] : m->subs[sub];
}

static void move_arc(void *context, void *record)
{
    const moving *m = context;
    nytp_arc *arc = record;
    arc->caller = moved_sub(m, arc->caller);
    arc->callee = moved_sub(m, arc->callee);
    if (m->fids != NULL)
        arc->fid = fid_in_profile(m, arc->fid);
    if (m->scale == 1)
        return;
    arc->incl_ticks = llround((double)arc->incl_ticks * m->scale);
    arc->excl_ticks = llround((double)arc->excl_ticks * m->scale);
}

static void add_measured(cg_inputs *inputs, input *one, const uint32_t *numbers)
{
    moving m = {.subs = one->subs, .numbers = numbers};
    for (int amount = 0; amount < (one->view == 0 ? CG_BYTES : CG_WORK); amount++) {
        cg_measured *from = &one->measured[amount],
                    *to = &inputs->measured[cg_first_amount(one->view) + amount];
        m.scale = amount == CG_STATEMENTS ? 1 : sum_of(inputs, one->view)->ticks_per_sec / one->ticks_per_sec;
        to->outside_ticks += llround((double)from->outside_ticks * m.scale);
        NYTP_EACH_RECORD(const nytp_arc, of, &from->arcs) {
            nytp_arc arc = *of;
            move_arc(&m, &arc);
            nytp_records_add(&to->arcs, &arc, nytp_arc_add);
        }
    }
    inputs->measures_statements &= one->view > 0 || one->measures_statements;
}

/* Numbers the views, and adds up each. */
static void find_views(cg_inputs *inputs)
{
    NYTP_EACH(const input, of_time, inputs->added) {
        const nytp_measure measure = nytp_profile_measure(of_time->profile);
        if (!nytp_measure_is_bytes(&measure))
            view_number(inputs, of_time->view_name);
    }
    NYTP_EACH(input, one, inputs->added)
        one->view = view_number(inputs, one->view_name);
    for (guint i = 0; i < inputs->views->len; i++)
        g_array_index(inputs->views, cg_view, i).profile = add_up(inputs, i);
}

/* Gives the first view the files and subs that another one has. */
static moving add_names(nytp_profile *profile, const nytp_profile *memory)
{
    moving m = {.profile = profile, .memory = memory, .fids = add_files(profile, memory), .scale = 1};
    add_subs(profile, memory, m.fids);
    m.subs = subs_in(profile, memory);
    return m;
}

/* Moves the lines and arcs of a view. */
static void move_view(nytp_profile *memory, moving *m)
{
    nytp_lines_change(memory->lines, move_line, NULL, m);
    nytp_subs_change_arcs(&memory->subs, move_arc, m);
    g_free(m->fids);
    g_free(m->subs);
}

bool cg_inputs_join(cg_inputs *inputs, bool keep_evals)
{
    find_views(inputs);
    if (inputs->views->len > CG_VIEWS)
        return false;
    nytp_profile *profile = sum_of(inputs, 0);
    moving moved[CG_VIEWS];
    for (uint32_t view = 1; view < inputs->views->len; view++)
        moved[view] = add_names(profile, sum_of(inputs, view));
    NYTP_EACH(input, one, inputs->added) {
        one->subs = subs_in(profile, one->profile != NULL ? one->profile : sum_of(inputs, one->view));
        add_stacks(inputs, one);
    }
    g_autofree uint32_t *numbers = keep_evals ? NULL : nytp_profile_move_evals(profile);
    NYTP_EACH(const cg_stacks, stacks, inputs->stacks)
        renumber(stacks->subs, stacks->count, numbers);
    NYTP_EACH(input, one, inputs->added)
        add_measured(inputs, one, numbers);
    for (uint32_t view = 1; view < inputs->views->len; view++) {
        moved[view].numbers = numbers;
        move_view(sum_of(inputs, view), &moved[view]);
    }
    return true;
}
