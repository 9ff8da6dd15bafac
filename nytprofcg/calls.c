#include "build.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/measure.h"

/* Loaders refuse 0 calls. What is no call counts as one where nothing else leads to the sub. */
static void add_arc(cg_graph *g, const nytp_arc *arc)
{
    const cg_sub *callee = &g->subs[arc->callee];
    if (!cg_is_call(g, arc) && (callee->is_counted || !callee->called))
        return;
    uint32_t caller = g->subs[arc->caller].as_caller;
    uint32_t file = cg_graph_file_number(g, arc->fid);
    bool has_parts = g->subs[caller].runs_files;
    cg_call call = {.callee = callee->function, .is_measured = true, .count = MAX(arc->count, 1)};
    call.caller = cg_graph_function_for(g, caller, has_parts ? file : CG_NO_FILE);
    const cg_function *from = cg_graph_function(g, call.caller);
    call.line = from->file == file ? arc->line : from->first_line;
    call.incl[CG_TIME] = arc->incl_ticks > 0 ? (uint64_t)arc->incl_ticks : 0;
    g_array_append_val(g->calls, call);
}

/* Returns the line of the sub's own file that leads to a part: where the eval was called, or the eval around
 * it. */
static uint32_t line_towards(const cg_graph *g, const cg_function *part, const cg_function *own)
{
    const nytp_file *file = nytp_profile_file(g->profile, part->file), *outer;
    for (int depth = 0; depth < CG_DEEPEST_NEST && (outer = cg_graph_file_around(g, file)) != NULL; depth++) {
        if (outer->number == own->file)
            return file->eval_line;
        file = outer;
    }
    return own->first_line;
}

static void add_calls_of_parts(cg_graph *g)
{
    for (uint32_t i = 0; i < g->functions->len; i++) {
        const cg_function *part = cg_graph_function(g, i);
        if (!part->is_part)
            continue;
        cg_call call = {.caller = g->subs[part->sub].function, .callee = i, .count = 1};
        call.line = line_towards(g, part, cg_graph_function(g, call.caller));
        g_array_append_val(g->calls, call);
    }
}

static int by_place(const void *a, const void *b)
{
    const cg_call *x = a, *y = b;
    return nytp_order3(NYTP_ORDER(x->caller, y->caller), NYTP_ORDER(x->line, y->line),
                       NYTP_ORDER(x->callee, y->callee));
}

static void add_call(void *record, const void *other)
{
    cg_call *call = record;
    const cg_call *more = other;
    call->count += more->count;
    call->is_measured |= more->is_measured;
    for (int amount = 0; amount < CG_AMOUNTS; amount++)
        call->incl[amount] += more->incl[amount];
}

void cg_calls_sort(cg_graph *g)
{
    nytp_group_sort(g->calls, by_place);
    nytp_group_merge(g->calls, by_place, add_call);
}

void cg_calls_find(cg_graph *g)
{
    for (size_t i = 0; i < nytp_profile_arc_count(g->counts); i++)
        add_arc(g, nytp_profile_arc(g->counts, i));
    add_calls_of_parts(g);
    cg_calls_sort(g);
}

void cg_calls_count_samples(cg_graph *g)
{
    const nytp_measure measure = nytp_profile_measure(g->profile);
    if (!nytp_measure_counts_samples(&measure))
        return;
    NYTP_EACH(cg_call, call, g->calls)
        call->count = MAX(call->incl[CG_STATEMENTS], 1);
}
