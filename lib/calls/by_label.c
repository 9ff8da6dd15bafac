#include "calls/by_label.h"

#include "base/str.h"
#include "calls/calltree.h"
#include "model/grow.h"
#include "model/measure.h"
#include "model/profile.h"

#include <string.h>

#define NO_LABEL UINT32_MAX

struct nytp_by_label {
    nytp_names *keys;   /* a letter for the kind, and the text; numbers are those of labels */
    GArray *sums;       /* nytp_labelled, without texts */
    GArray *names;      /* name_runs, by number of the tree's name */
    double ticks_per_s; /* of the sums; 0: there are none yet */
};

/* The calls of a sub, and those of them that are runs of its label. */
typedef struct name_runs {
    uint32_t label;
    uint64_t calls, runs;
} name_runs;

nytp_by_label *nytp_by_label_new(void)
{
    nytp_by_label *by = g_new0(nytp_by_label, 1);
    by->keys = nytp_names_new();
    by->sums = NYTP_ZEROED_ARRAY(nytp_labelled);
    by->names = NYTP_ZEROED_ARRAY(name_runs);
    return by;
}

void nytp_by_label_free(nytp_by_label *by)
{
    if (by == NULL)
        return;
    nytp_names_free(by->keys);
    g_array_free(by->sums, TRUE);
    g_array_free(by->names, TRUE);
    g_free(by);
}

double nytp_by_label_ticks_per_sec(const nytp_by_label *by)
{
    return by->ticks_per_s;
}

static nytp_labelled *sum_at(const nytp_by_label *by, uint32_t number)
{
    return &g_array_index(by->sums, nytp_labelled, number);
}

uint32_t nytp_by_label_count(const nytp_by_label *by)
{
    return by->sums->len;
}

const nytp_labelled *nytp_by_label_get(const nytp_by_label *by, uint32_t number)
{
    return sum_at(by, number);
}

char *nytp_by_label_text(const nytp_label *label)
{
    /* The text is that of the command sleep, without its name. */
    const char *program = nytp_str_is(nytp_sub_op(label->base), "sleep") ? "sleep " : "";
    g_autofree char *text = nytp_name_clean(label->text);
    return g_strconcat(program, text, NULL);
}

uint32_t nytp_by_label_of(nytp_by_label *by, const nytp_label *label)
{
    g_autofree char *text = nytp_by_label_text(label);
    g_autofree char *key = g_strdup_printf("%c%s", 'a' + (int)label->kind, text);
    bool added;
    const uint32_t number = nytp_names_intern(by->keys, &(nytp_str){key, strlen(key), true}, &added);
    if (added) {
        const nytp_str kept = nytp_names_get(by->keys, number);
        const nytp_labelled new = {.kind = label->kind, .text = {kept.bytes + 1, kept.length - 1, kept.utf8}};
        g_array_append_val(by->sums, new);
    }
    return number;
}

/* The label of a name; NO_LABEL: it has none. */
typedef struct name_label {
    uint32_t label;
    enum nytp_label_runs runs;
    bool is_outermost; /* of a call on the path: it is not within another one with the label */
} name_label;

/* How many calls with a label are on the path, and how many of these run what it names. */
typedef struct open_label {
    uint32_t calls, runs;
} open_label;

typedef struct adding {
    nytp_by_label *to;
    double scale;
    const name_label *label_of; /* by the number of the tree's name */
    GArray *open;               /* open_label, by label */
    GArray *path;               /* name_label, by depth */
} adding;

static open_label *open_calls(const adding *a, uint32_t label)
{
    return &g_array_index(a->open, open_label, label);
}

static void return_to_depth(const adding *a, guint depth)
{
    while (a->path->len > depth) {
        const name_label left = g_array_index(a->path, name_label, a->path->len - 1);
        if (left.label != NO_LABEL) {
            open_calls(a, left.label)->calls--;
            nytp_label_run_end(left.runs, &open_calls(a, left.label)->runs);
        }
        g_array_set_size(a->path, a->path->len - 1);
    }
}

/* A call waited for all labels on its path. */
static void add_waited(const adding *a, nytp_waited waited)
{
    for (guint i = 0; i < a->path->len && nytp_waited_ticks(waited) > 0; i++) {
        const name_label *on_path = &g_array_index(a->path, name_label, i);
        if (on_path->is_outermost)
            nytp_waited_add(&sum_at(a->to, on_path->label)->waited, nytp_waited_scaled(waited, a->scale));
    }
}

static void add_label(const adding *a, name_label *entered, const nytp_call *call)
{
    nytp_labelled *sum = sum_at(a->to, entered->label);
    name_runs *of_name = &g_array_index(a->to->names, name_runs, call->sub);
    open_label *open = open_calls(a, entered->label);
    sum->calls += call->calls;
    sum->excl_ticks += call->excl_ticks * a->scale;
    entered->is_outermost = open->calls++ == 0;
    if (entered->is_outermost)
        sum->incl_ticks += call->incl_ticks * a->scale;
    of_name->label = entered->label;
    of_name->calls += call->calls;
    if (!nytp_label_run_begin(entered->runs, &open->runs))
        return;
    sum->runs += call->calls;
    of_name->runs += call->calls;
}

static bool add_call(void *context, const nytp_call *call)
{
    const adding *a = context;
    name_label entered = a->label_of[call->sub];
    return_to_depth(a, call->depth);
    if (entered.label != NO_LABEL)
        add_label(a, &entered, call);
    g_array_append_val(a->path, entered);
    add_waited(a, nytp_call_waited_of(call));
    return true;
}

/* Returns the labels of the tree's names, or NULL if none has one. */
static name_label *labels_of(nytp_by_label *by, const nytp_labels *labels, nytp_calltree *tree)
{
    const nytp_names *names = nytp_calltree_names(tree);
    const uint32_t count = nytp_names_count(names);
    name_label *label_of = g_new(name_label, (size_t)count + 1);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        nytp_label label;
        const bool has = nytp_labels_split(labels, nytp_names_get(names, i), &label);
        label_of[i] = has ? (name_label){nytp_by_label_of(by, &label), nytp_label_runs(&label), false}
                          : (name_label){NO_LABEL, NYTP_RUNS_NONE, false};
        any |= has;
    }
    if (any)
        return label_of;
    g_free(label_of);
    return NULL;
}

void nytp_by_label_add(nytp_by_label *by, const nytp_labels *labels, nytp_calltree *tree)
{
    g_autofree name_label *label_of = labels_of(by, labels, tree);
    if (label_of == NULL)
        return;
    const double rate = nytp_calltree_ticks_per_sec(tree);
    if (by->ticks_per_s == 0)
        by->ticks_per_s = rate;
    adding a = {by, by->ticks_per_s / rate, label_of, NYTP_ZEROED_ARRAY(open_label), NYTP_ARRAY(name_label)};
    g_array_set_size(a.open, by->sums->len);
    g_array_set_size(by->names, MAX(by->names->len, nytp_names_count(nytp_calltree_names(tree))));
    nytp_calltree_walk_subs(tree, add_call, &a);
    g_array_free(a.open, TRUE);
    g_array_free(a.path, TRUE);
}

void nytp_by_label_add_profile(nytp_by_label *by, const nytp_profile *profile, nytp_calltree *tree)
{
    nytp_by_label_add(by, profile->labels, tree);
}

GArray *nytp_by_label_durations(const nytp_by_label *by, const nytp_durations *durations)
{
    GArray *all = nytp_distributions_new(by->sums->len);
    for (uint32_t i = 0; i < by->names->len; i++) {
        const name_runs *name = &g_array_index(by->names, name_runs, i);
        const nytp_distribution *from = name->runs > 0 ? nytp_durations_of(durations, i) : NULL;
        if (from != NULL && 2 * name->runs > name->calls)
            nytp_distribution_add_all(&g_array_index(all, nytp_distribution, name->label), from);
    }
    return all;
}

nytp_str nytp_label_whole_text(const nytp_profile *profile, nytp_str text)
{
    enum { HASH = 8 };
    char key[sizeof "label_" + HASH] = "label_";
    if (text.length <= HASH || text.bytes[text.length - HASH - 1] != '~')
        return text;
    memcpy(key + strlen("label_"), text.bytes + text.length - HASH, HASH);
    const nytp_str whole = nytp_profile_attribute(profile, key);
    return whole.length > 0 ? whole : text;
}
