#include "calls/derive_arcs.h"

#include "base/str.h"
#include "base/ticks.h"
#include "calls/calltree.h"
#include "model/profile.h"
#include "model/measure.h"

#include <math.h>
#include <string.h>

static const uint32_t UNKNOWN = UINT32_MAX;

typedef struct deriving {
    nytp_profile *profile;
    const nytp_stacktree *stacks;
    const nytp_names *names;
    double scale;       /* ticks of the profile in one of the stacks */
    bool is_sampled;    /* arcs do not count calls */
    uint32_t outside;   /* number of the sub that calls the outermost ones */
    uint32_t *subs;     /* numbers of the profile, by those of the stacks' names; UNKNOWN: not looked up */
    GArray *path;       /* uint32_t: numbers of the subs around the call */
    GArray *open;       /* uint32_t: by number, how many calls of the sub are on the path */
    nytp_records found; /* nytp_arc */
} deriving;

static int64_t whole_ticks(const deriving *d, double ticks)
{
    double scaled = round(ticks * d->scale);
    return nytp_is_ticks(scaled) ? (int64_t)scaled : 0;
}

static uint32_t *open_calls(const deriving *d, uint32_t sub)
{
    if (sub >= d->open->len)
        g_array_set_size(d->open, sub + 1);
    return &g_array_index(d->open, uint32_t, sub);
}

static uint32_t innermost(const deriving *d)
{
    return d->path->len > 0 ? g_array_index(d->path, uint32_t, d->path->len - 1) : d->outside;
}

static void leave_to(const deriving *d, uint32_t depth)
{
    for (; d->path->len > depth; g_array_set_size(d->path, d->path->len - 1))
        --*open_calls(d, innermost(d));
}

static uint32_t sub_of(const deriving *d, uint32_t name)
{
    if (d->subs[name] == UNKNOWN)
        d->subs[name] = nytp_subs_number(&d->profile->subs, nytp_names_get(d->names, name));
    return d->subs[name];
}

/* Adds the calls of a stack to those of its last two subs. */
static void add_node(void *context, uint32_t n, uint32_t depth)
{
    deriving *d = context;
    const nytp_node *node = &d->stacks->nodes[n];
    const uint32_t callee = sub_of(d, node->sub);
    leave_to(d, depth);
    uint32_t *open = open_calls(d, callee);
    nytp_arc arc = {.caller = innermost(d),
                    .callee = callee,
                    .count = node->calls,
                    .excl_ticks = whole_ticks(d, node->excl_ticks),
                    .max_depth = *open};
    *(*open == 0 ? &arc.incl_ticks : &arc.reci_ticks) = whole_ticks(d, node->incl_ticks);
    nytp_records_add(&d->found, &arc, nytp_arc_add);
    ++*open;
    g_array_append_val(d->path, callee);
}

/* The sums of all lines from which the caller calls; new ones are 0. */
static nytp_arc *found_arc(deriving *d, uint32_t caller, uint32_t callee)
{
    const nytp_arc key = {.caller = caller, .callee = callee};
    return nytp_records_at(&d->found, nytp_records_number(&d->found, &key, NULL));
}

/* Subtracts what the profile has. Negative numbers of calls are those that only the profile has. */
static void subtract_known(deriving *d)
{
    for (uint32_t i = 0; i < d->profile->subs.arcs.count; i++) {
        const nytp_arc *arc = nytp_records_at(&d->profile->subs.arcs, i);
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
    for (uint32_t i = 0; i < d->found.count; i++) {
        nytp_arc arc = *(const nytp_arc *)nytp_records_at(&d->found, i);
        if (!is_left(d, &arc))
            continue;
        if (d->is_sampled)
            arc.count = 1;
        nytp_records_number(&left, &arc, NULL);
    }
    return left;
}

static bool is_off(const nytp_profile *profile, const char *option)
{
    const nytp_setting *s = nytp_profile_setting_by_key(profile, NYTP_OPTION, option);
    return s != NULL && nytp_str_is(s->value, "0");
}

bool nytp_profile_lacks_arcs(const nytp_profile *profile, bool is_whole)
{
    return !is_whole ||
           (profile->subs.arcs.count == 0 && !is_off(profile, "calls") && !is_off(profile, "subs"));
}

nytp_records nytp_missing_arcs(nytp_profile *profile, const nytp_stacktree *stacks, const nytp_names *names,
                               double scale)
{
    static const nytp_str outside = {"main::RUNTIME", sizeof "main::RUNTIME" - 1, false};
    const uint32_t count = nytp_names_count(names);
    const nytp_measure measure = nytp_profile_measure(profile);
    deriving d = {.profile = profile,
                  .stacks = stacks,
                  .names = names,
                  .scale = scale,
                  .is_sampled = nytp_measure_is_sampled(&measure),
                  .outside = nytp_subs_number(&profile->subs, outside),
                  .subs = g_new(uint32_t, (size_t)count + 1),
                  .path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                  .open = g_array_new(FALSE, TRUE, sizeof(uint32_t))};
    memset(d.subs, 0xff, ((size_t)count + 1) * sizeof *d.subs);
    nytp_records_init(&d.found, sizeof(nytp_arc), offsetof(nytp_arc, count));
    nytp_stacktree_visit(stacks, add_node, &d);
    subtract_known(&d);
    take_from_outside(&d);
    nytp_records left = take_left(&d);
    nytp_records_clear(&d.found);
    g_array_free(d.path, TRUE);
    g_array_free(d.open, TRUE);
    g_free(d.subs);
    return left;
}

void nytp_profile_complete_arcs_by(nytp_profile *profile, const nytp_stacktree *stacks,
                                   const nytp_names *names, double scale)
{
    if (nytp_stacktree_count(stacks) == 0)
        return;
    nytp_records missing = nytp_missing_arcs(profile, stacks, names, scale);
    for (uint32_t i = 0; i < missing.count; i++)
        nytp_subs_add_arc(&profile->subs, nytp_records_at(&missing, i));
    nytp_records_clear(&missing);
}

void nytp_profile_complete_arcs(nytp_profile *profile, nytp_calltree *tree)
{
    const double scale = profile->ticks_per_sec / nytp_calltree_ticks_per_sec(tree);
    nytp_profile_complete_arcs_by(profile, nytp_calltree_stacks(tree), nytp_calltree_names(tree), scale);
}
