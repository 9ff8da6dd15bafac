#include "graph.h"

#include "nytprof-model.h"

#include "model/grow.h"
#include "model/hashes.h"
#include "model/measure.h"

cg_graph *cg_graph_new(const nytp_profile *profile, const nytp_profile *counts)
{
    cg_graph *g = g_new0(cg_graph, 1);
    g->profile = profile;
    g->counts = counts;
    const nytp_measure measure = nytp_profile_measure(counts);
    g->is_memory = nytp_measure_is_bytes(&measure);
    g->amounts = CG_BYTES;
    g->functions = NYTP_ARRAY(cg_function);
    g->objects = g_ptr_array_new_with_free_func(g_free);
    g->parts = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, NULL);
    g->calls = NYTP_ARRAY(cg_call);
    g->costs = NYTP_ARRAY(cg_cost);
    g->rare = NYTP_ARRAY(cg_rare);
    g->jumps = NYTP_ARRAY(cg_jump);
    return g;
}

void cg_graph_free(cg_graph *g)
{
    NYTP_EACH(const cg_function, function, g->functions)
        g_free(function->name);
    g_array_free(g->functions, TRUE);
    g_ptr_array_free(g->objects, TRUE);
    g_array_free(g->calls, TRUE);
    g_array_free(g->costs, TRUE);
    g_array_free(g->rare, TRUE);
    g_array_free(g->jumps, TRUE);
    g_hash_table_destroy(g->parts);
    g_free(g->not_split);
    g_free(g->scope_sub);
    g_free(g->subs);
    g_free(g);
}

uint64_t cg_cost_of(const cg_graph *g, const cg_cost *cost, enum cg_amount amount)
{
    if (amount < CG_WORK)
        return cost->of[amount];
    if (amount == CG_WORK)
        return cost->of[CG_TIME] - cg_cost_of(g, cost, CG_QUEUED) - cg_cost_of(g, cost, CG_ASLEEP);
    return cost->rare > 0 ? g_array_index(g->rare, cg_rare, cost->rare - 1).of[amount - CG_QUEUED] : 0;
}

void cg_cost_add(cg_graph *g, cg_cost *cost, enum cg_amount amount, uint64_t more)
{
    if (more == 0)
        return;
    if (cost->rare == 0) {
        g_array_append_val(g->rare, (cg_rare){{0}});
        cost->rare = g->rare->len;
    }
    g_array_index(g->rare, cg_rare, cost->rare - 1).of[amount - CG_QUEUED] += more;
}

uint64_t *cg_graph_spent(const cg_graph *g, enum cg_amount amount)
{
    uint64_t *spent = g_new(uint64_t, g->functions->len + 1); /* + 1: never NULL */
    for (uint32_t i = 0; i < g->functions->len; i++)
        spent[i] = cg_graph_function(g, i)->self[amount];
    NYTP_EACH(const cg_call, call, g->calls)
        spent[call->caller] += call->incl[amount];
    return spent;
}

const nytp_file *cg_graph_file_around(const cg_graph *g, const nytp_file *eval)
{
    return eval->eval_fid != 0 ? nytp_profile_merged_file(g->profile, eval->eval_fid) : NULL;
}

nytp_str cg_graph_file_name(const cg_graph *g, uint32_t file)
{
    return file != CG_NO_FILE ? nytp_profile_file(g->profile, file)->name : (nytp_str){"", 0, false};
}

uint32_t cg_graph_file_number(const cg_graph *g, uint32_t fid)
{
    const nytp_file *file = fid != 0 ? nytp_profile_merged_file(g->profile, fid) : NULL;
    return file != NULL ? file->number : CG_NO_FILE;
}

uint32_t cg_graph_find_function(const cg_graph *g, uint32_t sub, uint32_t file)
{
    const uint32_t own = g->subs[sub].function;
    const gint64 key = (gint64)((uint64_t)sub << 32 | file);
    gpointer found;
    if (file == CG_NO_FILE || file == cg_graph_function(g, own)->file)
        return own;
    return g_hash_table_lookup_extended(g->parts, &key, NULL, &found) ? GPOINTER_TO_UINT(found)
                                                                      : CG_NO_FUNCTION;
}

uint32_t cg_graph_function_for(cg_graph *g, uint32_t sub, uint32_t file)
{
    const uint32_t found = cg_graph_find_function(g, sub, file);
    if (found != CG_NO_FUNCTION)
        return found;
    const gint64 key = (gint64)((uint64_t)sub << 32 | file);
    cg_function part = {.sub = sub, .file = file, .first_line = 1, .is_part = true};
    uint32_t number = g->functions->len;
    g_array_append_val(g->functions, part);
    g_hash_table_insert(g->parts, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(number));
    return number;
}
