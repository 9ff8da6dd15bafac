#include "state.h"

#include "base/ticks.h"
#include "model/names.h"
#include "model/records.h"

#include <glib.h>
#include <math.h>

/* Times are summed as whole numbers of this unit, because the sum of doubles depends on their order.
 * Collectors write multiples of 100 or 1 ns. */
#define UNITS_PER_SEC 1e10

typedef struct arc {
    uint32_t fid, origin_fid, line;
    uint32_t caller, called; /* names */
    uint32_t max_depth;
    uint64_t count;
    int64_t incl, excl, reci; /* units */
    bool lacks_kept;
    int64_t kept_values, own_kept_values; /* as in nytp_arc */
} arc;

struct merge_arcs {
    nytp_names *names;
    nytp_records all; /* arc */
};

merge_arcs *merge_arcs_new(nytp_names *names)
{
    merge_arcs *a = g_new0(merge_arcs, 1);
    a->names = names;
    nytp_records_init(&a->all, sizeof(arc), offsetof(arc, max_depth));
    return a;
}

void merge_arcs_free(merge_arcs *arcs)
{
    nytp_records_clear(&arcs->all);
    g_free(arcs);
}

size_t merge_arcs_count(const merge_arcs *arcs)
{
    return arcs->all.count;
}

/* Returns sum + seconds, or the limit if that overflows. Ignores seconds that are not a number or beyond the
 * limit, which only a damaged profile has. */
static int64_t plus_seconds(int64_t sum, double seconds)
{
    double units = round(seconds * UNITS_PER_SEC);
    return fabs(units) < 0x1p63 ? nytp_add_ticks(sum, (int64_t)units) : sum;
}

void merge_arcs_add(merge_arcs *arcs, const nytp_chunk *sub_callers, const nytp_mark *kept,
                    uint32_t origin_fid)
{
    const arc key = {.fid = sub_callers->sub_callers.fid,
                     .origin_fid = origin_fid,
                     .line = sub_callers->sub_callers.line,
                     .caller = nytp_names_intern(arcs->names, &sub_callers->sub_callers.caller, NULL),
                     .called = nytp_names_intern(arcs->names, &sub_callers->sub_callers.called, NULL)};
    arc *a = nytp_records_at(&arcs->all, nytp_records_number(&arcs->all, &key, NULL));
    a->count += sub_callers->sub_callers.count;
    a->incl = plus_seconds(a->incl, sub_callers->sub_callers.incl_s);
    a->excl = plus_seconds(a->excl, sub_callers->sub_callers.excl_s);
    a->reci = plus_seconds(a->reci, sub_callers->sub_callers.reci_s);
    a->max_depth = MAX(a->max_depth, sub_callers->sub_callers.max_depth);
    a->lacks_kept |= kept->count == 0;
    a->kept_values = nytp_add_ticks(a->kept_values, (int64_t)kept->kept.values);
    a->own_kept_values = nytp_add_ticks(a->own_kept_values, (int64_t)kept->kept.own_values);
}

static void put_arc(const merge_arcs *arcs, const arc *a, merge_arc_fn *each, void *context)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS,
                        .sub_callers = {.fid = a->fid,
                                        .line = a->line,
                                        .caller = nytp_names_get(arcs->names, a->caller),
                                        .incl_s = (double)a->incl / UNITS_PER_SEC,
                                        .excl_s = (double)a->excl / UNITS_PER_SEC,
                                        .reci_s = (double)a->reci / UNITS_PER_SEC,
                                        .max_depth = a->max_depth,
                                        .called = nytp_names_get(arcs->names, a->called)}};
    nytp_mark kept = {.kind = NYTP_MARK_KEPT,
                      .count = 2,
                      .kept = {.own_values = (double)a->own_kept_values, .values = (double)a->kept_values}};
    uint64_t left = a->count;
    do {
        chunk.sub_callers.count = (uint32_t)MIN(left, UINT32_MAX);
        left -= chunk.sub_callers.count;
        each(context, &chunk, a->lacks_kept ? NULL : &kept, a->origin_fid);
        kept.kept.values = kept.kept.own_values = 0;
        chunk.sub_callers.incl_s = chunk.sub_callers.excl_s = chunk.sub_callers.reci_s = 0;
    } while (left > 0);
}

void merge_arcs_each(const merge_arcs *arcs, merge_arc_fn *each, void *context)
{
    for (uint32_t i = 0; i < arcs->all.count; i++)
        put_arc(arcs, nytp_records_at(&arcs->all, i), each, context);
}
