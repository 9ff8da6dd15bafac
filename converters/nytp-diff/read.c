#include "diff.h"

#include "cli/read.h"
#include "cli/say.h"
#include "calls/calltree.h"
#include "calls/durations.h"
#include "calls/kinds.h"
#include "compare/comparison.h"
#include "model/measure.h"
#include "model/profile.h"

#include <glib.h>
#include <string.h>

/* The program of the first profile of a side. */
typedef struct program {
    char *name; /* without directories; NULL: not known */
    const char *file;
} program;

static void remember_program(program *p, const nytp_profile *profile, const char *file)
{
    const nytp_str name = nytp_profile_attribute(profile, "application");
    if (p->file != NULL || name.length == 0)
        return;
    g_autofree char *clean = nytp_name_clean(name);
    *p = (program){g_path_get_basename(clean), file};
}

static void warn_of_programs(const program p[NYTP_SIDES])
{
    const program *old = &p[NYTP_OLD], *new = &p[NYTP_NEW];
    if (old->name != NULL && new->name != NULL && strcmp(old->name, new->name) != 0)
        nytp_say("warning: different programs: %s is of %s, %s of %s", old->file, old->name, new->file,
                 new->name);
}

/* What is read of a file. */
typedef struct input {
    nytp_profile *profile;
    nytp_source_text *text;
    nytp_calltree *tree;       /* NULL if not needed */
    nytp_durations *durations; /* the same; else of the calls of the tree */
    nytp_kinds *kinds;         /* of memory; else NULL */
} input;

static bool needs_stacks(const diff_options *o)
{
    return o->kind == NYTP_COMPARE_STACKS || o->kind == NYTP_COMPARE_LABELS || o->explain;
}

static input input_new(const diff_options *o, bool is_memory)
{
    const bool needs_text = o->kind == NYTP_COMPARE_LINES || o->kind == NYTP_COMPARE_PLACES;
    input in = {.profile = nytp_profile_new(), .text = nytp_source_text_new()};
    if (needs_text)
        nytp_profile_on_source(in.profile, nytp_source_text_add, in.text);
    const bool needs_durations = nytp_figure_is_duration(o->figure);
    const bool needs_parts = nytp_figure_is_part(o->figure) || o->explain;
    if (needs_stacks(o) || needs_durations || needs_parts || is_memory)
        in.tree = nytp_calltree_new(NULL, NULL);
    if (needs_parts)
        nytp_calltree_read_waited(in.tree);
    if (needs_durations) {
        in.durations = nytp_durations_new(in.tree->raw);
        nytp_durations_take(in.durations, nytp_calltree_events(in.tree));
    }
    if (is_memory) {
        in.kinds = nytp_kinds_new();
        nytp_kinds_take(in.kinds, in.tree->raw, nytp_calltree_events(in.tree));
    }
    return in;
}

static void input_free(input *in)
{
    nytp_kinds_free(in->kinds);
    nytp_durations_free(in->durations);
    nytp_calltree_free(in->tree);
    nytp_source_text_free(in->text);
    nytp_profile_free(in->profile);
}

static void add_memory(nytp_comparison *comparison, enum nytp_side side, const input *in)
{
    nytp_kinds_end_profile(in->kinds, NULL, NULL);
    g_autoptr(GArray) by_sub = nytp_kinds_by_sub(in->kinds, in->profile);
    g_autofree uint32_t *moved = nytp_profile_move_evals(in->profile);
    if (moved != NULL)
        nytp_kind_sums_move(by_sub, moved);
    nytp_comparison_add(comparison, side, in->profile, in->tree, in->text);
    nytp_comparison_add_kinds(comparison, side, in->profile, in->kinds, by_sub);
}

static GArray *label_durations(const input *in)
{
    nytp_by_label *labels = nytp_by_label_new();
    nytp_by_label_add_profile(labels, in->profile, in->tree);
    GArray *durations = nytp_by_label_durations(labels, in->durations);
    nytp_by_label_free(labels);
    return durations;
}

static void add_input(nytp_comparison *comparison, enum nytp_side side, const input *in,
                      const diff_options *o)
{
    nytp_calltree *stacks = in->durations == NULL || needs_stacks(o) ? in->tree : NULL;
    nytp_sub_durations durations = {NULL, 0};
    g_autoptr(GArray) of_labels =
        in->durations != NULL && o->kind == NYTP_COMPARE_LABELS ? label_durations(in) : NULL;
    if (in->durations != NULL)
        durations = nytp_durations_merge_evals(in->durations, in->profile);
    else
        nytp_profile_merge_evals(in->profile);
    nytp_comparison_add(comparison, side, in->profile, stacks, in->text);
    if (in->durations != NULL)
        nytp_comparison_add_durations(comparison, side, &durations);
    if (of_labels != NULL)
        nytp_comparison_add_label_durations(comparison, side, of_labels);
    nytp_sub_durations_clear(&durations);
}

static int read_one(nytp_comparison *comparison, enum nytp_side side, const char *file, const diff_options *o,
                    const nytp_common_options *common, program *p)
{
    input in = input_new(o, nytp_read_is_memory(file, common));
    const int rc = nytp_read_profile(file, common, in.profile, in.tree);
    if (rc >= 0) {
        if (in.kinds != NULL)
            add_memory(comparison, side, &in);
        else
            add_input(comparison, side, &in, o);
        remember_program(p, in.profile, file);
    }
    input_free(&in);
    return rc;
}

/* Says why the profiles cannot be compared so; NULL if they can. */
static const char *complaint(const nytp_comparison *comparison, const diff_options *o)
{
    const enum nytp_figure figure = o->figure;
    if (!o->mixed && nytp_comparison_is_mixed(comparison))
        return "some profiles are made of samples, others are the collector's; --mixed compares shares of "
               "the time, in which the collector's include its own cost";
    if (o->kind == NYTP_COMPARE_KINDS && !nytp_measure_is_bytes(nytp_comparison_measure(comparison)))
        return "profiles of time have no kinds of memory: --memory shows those that were recorded with "
               "heap=1";
    if (nytp_figure_is_duration(figure) && nytp_comparison_is_by_share(comparison))
        return "profiles of samples do not say how long calls took";
    if (nytp_figure_is_part(figure) && nytp_measure_is_bytes(nytp_comparison_measure(comparison)))
        return "profiles of memory have no time";
    if ((int)figure == NYTP_FIGURE_KEPT && !nytp_comparison_knows_kept(comparison))
        return "not all profiles say how many values calls left behind";
    if ((int)figure == NYTP_FIGURE_QUEUED && !nytp_comparison_measures_waits(comparison))
        return "not all profiles say how long the program was queued for a processor";
    return NULL;
}

int diff_read(nytp_comparison *comparison, const diff_command *command)
{
    program programs[NYTP_SIDES] = {{NULL, NULL}, {NULL, NULL}};
    nytp_common_options common = command->common;
    int rc = 0;
    nytp_sides_unify_labels(command->files, &common.filters);
    NYTP_EACH_SIDE(side)
        for (int i = 0; i < command->files[side].count && rc >= 0; i++)
            rc = read_one(comparison, side, command->files[side].names[i], &command->options, &common,
                          &programs[side]);
    const char *why = rc >= 0 ? complaint(comparison, &command->options) : NULL;
    if (why != NULL)
        nytp_say("%s", why);
    else if (rc >= 0)
        warn_of_programs(programs);
    NYTP_EACH_SIDE(side)
        g_free(programs[side].name);
    return rc < 0 || why != NULL ? -1 : 0;
}
