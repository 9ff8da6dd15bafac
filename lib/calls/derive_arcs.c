#include "calls/derive_arcs.h"

#include "base/order.h"
#include "base/str.h"
#include "base/ticks.h"
#include "calls/calltree.h"
#include "model/eval_name.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/profile.h"
#include "model/measure.h"
#include "model/records.h"

#include <string.h>

static const uint32_t UNKNOWN = UINT32_MAX;

typedef struct deriving {
    nytp_profile *profile;
    const nytp_names *names;
    bool is_sampled;    /* arcs do not count calls */
    uint32_t outside;   /* number of the sub that calls the outermost ones */
    uint32_t *subs;     /* numbers of the profile, by those of the stacks' names; UNKNOWN: not looked up */
    nytp_records found; /* nytp_arc */
} deriving;

static nytp_called sub_of(void *context, uint32_t name)
{
    deriving *d = context;
    const nytp_str text = nytp_names_get(d->names, name);
    if (nytp_is_eval_frame(text))
        return (nytp_called){.is_eval = true};
    if (d->subs[name] == UNKNOWN)
        d->subs[name] = nytp_subs_number(&d->profile->subs, text);
    return (nytp_called){.sub = d->subs[name]};
}

/* The sums of all lines from which the caller calls; new ones are 0. */
static nytp_arc *found_arc(deriving *d, uint32_t caller, uint32_t callee)
{
    const nytp_arc key = {.caller = caller, .callee = callee};
    return nytp_records_at(&d->found, nytp_records_number(&d->found, &key, NULL));
}

/* The key of the calls of a sub by a sub, from all lines. */
static nytp_arc pair_of(const nytp_arc *arc)
{
    return (nytp_arc){.caller = arc->caller, .callee = arc->callee};
}

static void add_to_pair(nytp_records *pairs, nytp_arc arc)
{
    arc.fid = arc.line = 0;
    nytp_records_add(pairs, &arc, nytp_arc_add);
}

static bool are_same_calls(const nytp_arc *a, const nytp_arc *b)
{
    return a->count == b->count && a->excl_ticks == b->excl_ticks &&
           nytp_add_ticks(a->incl_ticks, a->reci_ticks) == nytp_add_ticks(b->incl_ticks, b->reci_ticks);
}

/* Moves time of calls that are within another one of the same name from outermost calls to recursive ones, as
 * it was found for the same calls. Each line has its share of what is left, so that these add up. */
static void move_hidden_recursion(const deriving *d)
{
    nytp_records known;
    nytp_records_init(&known, sizeof(nytp_arc), offsetof(nytp_arc, count));
    NYTP_EACH_RECORD(const nytp_arc, arc, &d->profile->subs.arcs)
        add_to_pair(&known, *arc);
    NYTP_EACH_RECORD(nytp_arc, has, &known) {
        const nytp_arc *const is = nytp_records_find(&d->found, has);
        has->reci_ticks =
            is != NULL && are_same_calls(is, has) ? MAX(has->incl_ticks - is->incl_ticks, 0) : 0;
    }
    NYTP_EACH_RECORD(nytp_arc, arc, &d->profile->subs.arcs) {
        const nytp_arc key = pair_of(arc);
        nytp_arc *const left = nytp_records_find(&known, &key);
        if (left->reci_ticks == 0)
            continue;
        const int64_t moved =
            nytp_whole_ticks((double)left->reci_ticks * ((double)arc->incl_ticks / (double)left->incl_ticks));
        left->incl_ticks -= arc->incl_ticks;
        left->reci_ticks -= moved;
        arc->incl_ticks -= moved;
        arc->reci_ticks = nytp_add_ticks(arc->reci_ticks, moved);
        arc->max_depth = MAX(arc->max_depth, 1);
    }
    nytp_records_clear(&known);
}

/* Subtracts what the profile has. Negative numbers of calls are those that only the profile has. */
static void subtract_known(deriving *d)
{
    NYTP_EACH_RECORD(const nytp_arc, arc, &d->profile->subs.arcs) {
        const nytp_arc negative = {.count = 0 - arc->count,
                                   .incl_ticks = -arc->incl_ticks,
                                   .excl_ticks = -arc->excl_ticks,
                                   .reci_ticks = -arc->reci_ticks};
        nytp_arc_add(found_arc(d, arc->caller, arc->callee), &negative);
    }
}

/* Whether calls are left. The arcs of samples have times alone, and those of parts of calls. */
static bool is_left(const deriving *d, const nytp_arc *arc)
{
    const int64_t ticks = nytp_add_ticks(arc->incl_ticks, arc->reci_ticks);
    const bool has_parts = arc->count == 0 && d->profile->subs.arcs.count == 0;
    return d->is_sampled || has_parts ? ticks > 0 : (int64_t)arc->count > 0;
}

static void take_from_outside(deriving *d)
{
    const uint32_t count = d->found.count;
    for (uint32_t i = 0; i < count; i++) {
        nytp_arc excess = *(const nytp_arc *)nytp_records_at(&d->found, i);
        if (excess.caller == d->outside || is_left(d, &excess))
            continue;
        excess.incl_ticks = nytp_add_ticks(excess.incl_ticks, excess.reci_ticks);
        excess.reci_ticks = excess.max_depth = 0;
        nytp_arc_add(found_arc(d, d->outside, excess.callee), &excess);
    }
}

/* Returns the arcs of which calls are left. */
static nytp_records take_left(deriving *d)
{
    nytp_records left;
    nytp_records_init(&left, sizeof(nytp_arc), offsetof(nytp_arc, count));
    NYTP_EACH_RECORD(const nytp_arc, one, &d->found) {
        nytp_arc arc = *one;
        if (!is_left(d, &arc))
            continue;
        if (d->is_sampled)
            arc.count = 1;
        nytp_records_number(&left, &arc, NULL);
    }
    return left;
}

/* Stock's collector counts the depth of recursion by code, not by name: a wrapper with the name of the sub
 * that it wraps, as Moose makes them with Sub::Util::set_subname(), is not recursive there, and is the same
 * sub here. */
static bool has_depth_of_code(const nytp_profile *profile)
{
    return nytp_profile_setting_by_key(profile, NYTP_ATTRIBUTE, "collector") == NULL;
}

static int by_caller(const void *a, const void *b)
{
    return NYTP_ORDER(((const nytp_arc *)a)->caller, ((const nytp_arc *)b)->caller);
}

/* Whether subs call one another in calls that count as outermost ones. */
static bool may_hide_recursion(const nytp_profile *profile)
{
    g_autoptr(GArray) arcs = NYTP_ARRAY(nytp_arc);
    g_array_append_vals(arcs, profile->subs.arcs.all, profile->subs.arcs.count);
    nytp_group_sort(arcs, by_caller);
    nytp_cycles cycles;
    nytp_cycles_find(&cycles, arcs, offsetof(nytp_arc, caller), offsetof(nytp_arc, callee),
                     (uint32_t)nytp_profile_sub_count(profile));
    bool may = false;
    NYTP_EACH(const nytp_arc, arc, arcs)
        may |= arc->incl_ticks > 0 && cycles.of_function[arc->caller] == cycles.of_function[arc->callee];
    nytp_cycles_clear(&cycles);
    return may;
}

bool nytp_profile_lacks_arcs(const nytp_profile *profile, bool is_whole)
{
    const bool has_calls = !nytp_profile_is_off(profile, "calls") && !nytp_profile_is_off(profile, "subs");
    return !is_whole || (has_calls && (profile->subs.arcs.count == 0 ||
                                       (has_depth_of_code(profile) && may_hide_recursion(profile))));
}

static deriving begin(nytp_profile *profile, const nytp_names *names)
{
    const nytp_str outside = nytp_str_of(NYTP_RUNTIME);
    const uint32_t count = nytp_names_count(names);
    const nytp_measure measure = nytp_profile_measure(profile);
    deriving d = {.profile = profile,
                  .names = names,
                  .is_sampled = nytp_measure_is_sampled(&measure),
                  .outside = nytp_subs_number(&profile->subs, outside),
                  .subs = g_new(uint32_t, (size_t)count + 1)};
    memset(d.subs, 0xff, ((size_t)count + 1) * sizeof *d.subs);
    return d;
}

static bool has_all_arcs(const nytp_profile *profile)
{
    bool has_all = profile->subs.arcs.count > 0;
    for (guint i = 0; i < profile->processes->len; i++) {
        const nytp_process *const process = &g_array_index(profile->processes, nytp_process, i);
        has_all &= process->ended && !process->is_cut;
    }
    return has_all;
}

/* Returns what is missing of what was found. */
static nytp_records find_missing(deriving *d)
{
    if (has_depth_of_code(d->profile))
        move_hidden_recursion(d);
    nytp_records left;
    if (has_all_arcs(d->profile)) {
        nytp_records_init(&left, sizeof(nytp_arc), offsetof(nytp_arc, count));
    } else {
        subtract_known(d);
        take_from_outside(d);
        left = take_left(d);
    }
    nytp_records_clear(&d->found);
    g_free(d->subs);
    return left;
}

nytp_records nytp_missing_arcs(nytp_profile *profile, const nytp_stacktree *stacks, const nytp_names *names,
                               double scale)
{
    deriving d = begin(profile, names);
    d.found = nytp_arcs_of_stacks(stacks, sub_of, &d, d.outside, scale);
    return find_missing(&d);
}

/* Adds an arc of which no more is missing than that. Returns that much of it. */
static nytp_arc take_missing(nytp_arc *missing, const nytp_arc *arc)
{
    nytp_arc taken = *arc;
    taken.count = MIN(arc->count, missing->count);
    taken.incl_ticks = CLAMP(arc->incl_ticks, 0, MAX(missing->incl_ticks, 0));
    taken.excl_ticks = CLAMP(arc->excl_ticks, 0, MAX(missing->excl_ticks, 0));
    taken.reci_ticks = CLAMP(arc->reci_ticks, 0, MAX(missing->reci_ticks, 0));
    missing->count -= taken.count;
    missing->incl_ticks -= taken.incl_ticks;
    missing->excl_ticks -= taken.excl_ticks;
    missing->reci_ticks -= taken.reci_ticks;
    return taken;
}

/* Moves what is missing to the lines of which a profile that lacks nothing has more calls. */
static void find_lines(deriving *d, nytp_records *missing, nytp_records *at_lines)
{
    NYTP_EACH_RECORD(const nytp_arc, known, &d->profile->subs.arcs) {
        nytp_arc *arc = nytp_records_find(at_lines, known);
        if (arc == NULL)
            continue;
        arc->count -= MIN(arc->count, known->count);
        arc->incl_ticks -= known->incl_ticks;
        arc->excl_ticks -= known->excl_ticks;
        arc->reci_ticks -= known->reci_ticks;
    }
    NYTP_EACH_RECORD(const nytp_arc, arc, at_lines) {
        const nytp_arc key = pair_of(arc);
        nytp_arc *left = nytp_records_find(missing, &key);
        if (arc->fid == 0 || arc->count == 0 || left == NULL || left->count == 0)
            continue;
        const nytp_arc taken = take_missing(left, arc);
        nytp_records_add(missing, &taken, nytp_arc_add);
    }
}

/* Returns those that are more than nothing. */
static nytp_records without_empty(const nytp_records *arcs)
{
    nytp_records left;
    nytp_records_init(&left, sizeof(nytp_arc), offsetof(nytp_arc, count));
    NYTP_EACH_RECORD(const nytp_arc, arc, arcs)
        if (arc->count > 0 || arc->incl_ticks > 0 || arc->excl_ticks > 0 || arc->reci_ticks > 0)
            nytp_records_number(&left, arc, NULL);
    return left;
}

nytp_records nytp_missing_arcs_of(nytp_profile *profile, const nytp_profile *calls)
{
    deriving d = begin(profile, calls->subs.names);
    nytp_records at_lines;
    nytp_records_init(&at_lines, sizeof(nytp_arc), offsetof(nytp_arc, count));
    nytp_records_init(&d.found, sizeof(nytp_arc), offsetof(nytp_arc, count));
    NYTP_EACH_RECORD(const nytp_arc, one, &calls->subs.arcs) {
        nytp_arc arc = *one;
        arc.caller = sub_of(&d, arc.caller).sub;
        arc.callee = sub_of(&d, arc.callee).sub;
        nytp_records_add(&at_lines, &arc, nytp_arc_add);
        add_to_pair(&d.found, arc);
    }
    nytp_records missing = find_missing(&d);
    if (!d.is_sampled)
        find_lines(&d, &missing, &at_lines);
    nytp_records left = without_empty(&missing);
    nytp_records_clear(&missing);
    nytp_records_clear(&at_lines);
    return left;
}

static void add_missing(nytp_profile *profile, nytp_records missing)
{
    NYTP_EACH_RECORD(nytp_arc, arc, &missing)
        nytp_subs_add_arc(&profile->subs, arc);
    nytp_records_clear(&missing);
}

void nytp_profile_complete_arcs_of(nytp_profile *profile, const nytp_profile *calls)
{
    add_missing(profile, nytp_missing_arcs_of(profile, calls));
}

void nytp_profile_complete_arcs_by(nytp_profile *profile, const nytp_stacktree *stacks,
                                   const nytp_names *names, double scale)
{
    if (nytp_stacktree_count(stacks) > 0)
        add_missing(profile, nytp_missing_arcs(profile, stacks, names, scale));
}

static double scale_of(const nytp_profile *profile, const nytp_calltree *tree)
{
    return profile->ticks_per_sec / nytp_calltree_ticks_per_sec(tree);
}

void nytp_profile_complete_arcs(nytp_profile *profile, nytp_calltree *tree)
{
    nytp_profile_complete_arcs_by(profile, nytp_calltree_stacks(tree), nytp_calltree_names(tree),
                                  scale_of(profile, tree));
}

nytp_records nytp_arcs_of_amount(nytp_profile *profile, nytp_calltree *tree, nytp_amount_fn *amount,
                                 double scale)
{
    nytp_calltree *of = amount != NULL ? nytp_amount_tree_new(tree, amount) : tree;
    deriving d = begin(profile, nytp_calltree_names(of));
    nytp_records arcs = nytp_arcs_of_stacks(nytp_calltree_stacks(of), sub_of, &d, d.outside, scale);
    g_free(d.subs);
    if (of != tree)
        nytp_calltree_free(of);
    return arcs;
}

nytp_records nytp_waiting_arcs(nytp_profile *profile, nytp_calltree *tree, enum nytp_wait wait,
                               int64_t *outside_ticks)
{
    const double of_calls = nytp_waited_by(tree->calls_waited, wait),
                 outside = nytp_waited_by(tree->waited, wait) - of_calls;
    nytp_records none;
    const bool has_all = tree->calls > 0 || nytp_profile_arc_count(profile) == 0;
    *outside_ticks = has_all ? nytp_whole_ticks(fmax(outside * scale_of(profile, tree), 0)) : 0;
    if (of_calls != 0)
        return nytp_arcs_of_amount(profile, tree, nytp_amount_of_wait(wait), scale_of(profile, tree));
    nytp_records_init(&none, sizeof(nytp_arc), offsetof(nytp_arc, count));
    return none;
}
