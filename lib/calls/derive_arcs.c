#include "calls/derive_arcs.h"

#include "base/str.h"
#include "base/ticks.h"
#include "calls/arcs_of_stacks.h"
#include "calls/calltree.h"
#include "model/profile.h"
#include "model/measure.h"

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
    if (d->subs[name] == UNKNOWN)
        d->subs[name] = nytp_subs_number(&d->profile->subs, nytp_names_get(d->names, name));
    return (nytp_called){.sub = d->subs[name]};
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
                  .names = names,
                  .is_sampled = nytp_measure_is_sampled(&measure),
                  .outside = nytp_subs_number(&profile->subs, outside),
                  .subs = g_new(uint32_t, (size_t)count + 1)};
    memset(d.subs, 0xff, ((size_t)count + 1) * sizeof *d.subs);
    d.found = nytp_arcs_of_stacks(stacks, sub_of, &d, d.outside, scale);
    subtract_known(&d);
    take_from_outside(&d);
    nytp_records left = take_left(&d);
    nytp_records_clear(&d.found);
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
