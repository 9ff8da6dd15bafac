#include "build.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"

/* A sub that made calls from a file that is not its own, so it ran the file scope of that. */
typedef struct candidate {
    uint32_t file, sub;
    uint64_t calls;
} candidate;

static void collect_candidates(const cg_graph *g, GArray *candidates)
{
    for (size_t i = 0; i < nytp_profile_arc_count(g->counts); i++) {
        const nytp_arc *arc = nytp_profile_arc(g->counts, i);
        const cg_sub *caller = &g->subs[arc->caller];
        candidate c = {cg_graph_file_number(g, arc->fid), caller->as_caller, arc->count};
        bool may_run_files = caller->is_root_name || (caller->called && caller->runs_files);
        bool is_at_home = g->subs[c.sub].home == c.file && caller->kind == NYTP_SUB_PERL;
        if (may_run_files && c.file != CG_NO_FILE && !is_at_home && c.calls > 0)
            g_array_append_val(candidates, c);
    }
}

static int by_file_and_sub(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->file, y->file), NYTP_ORDER(x->sub, y->sub));
}

static void add_calls(void *record, const void *other)
{
    ((candidate *)record)->calls += ((const candidate *)other)->calls;
}

/* Several subs may have run the same file. The one with the most calls from it counts. */
static void choose_most_calls(cg_graph *g)
{
    g_autoptr(GArray) candidates = NYTP_ARRAY(candidate);
    collect_candidates(g, candidates);
    nytp_group_sort(candidates, by_file_and_sub);
    nytp_group_merge(candidates, by_file_and_sub, add_calls);
    for (guint i = 0, end; i < candidates->len; i = end) {
        const candidate *most = &g_array_index(candidates, candidate, i);
        end = nytp_group_end(candidates, i, offsetof(candidate, file));
        for (guint k = i + 1; k < end; k++)
            if (g_array_index(candidates, candidate, k).calls > most->calls)
                most = &g_array_index(candidates, candidate, k);
        g->scope_sub[most->file] = most->sub;
    }
}

/* A file that made no calls, but has subs of the module that a require loads, is that module's. */
static void choose_loads(cg_graph *g)
{
    for (uint32_t i = 0; i < g->root; i++) {
        const cg_sub *s = &g->subs[i];
        if (s->called && s->runs_files && s->kind != NYTP_SUB_PERL && s->home != CG_NO_FILE &&
            g->scope_sub[s->home] == CG_NO_SUB)
            g->scope_sub[s->home] = i;
    }
}

/* An eval that made no calls was run by the code around it. */
static uint32_t sub_around(const cg_graph *g, const nytp_line_map *map, const nytp_file *eval)
{
    const nytp_file *outer;
    for (int depth = 0; depth < CG_DEEPEST_NEST && (outer = cg_graph_file_around(g, eval)) != NULL; depth++) {
        uint32_t sub = nytp_line_map_find(map, outer->number, eval->eval_line).sub;
        if (sub != CG_NO_SUB)
            return sub;
        if (g->scope_sub[outer->number] != CG_NO_SUB)
            return g->scope_sub[outer->number];
        eval = outer;
    }
    return g->root;
}

void cg_scopes_find(cg_graph *g)
{
    size_t files = nytp_profile_file_count(g->profile);
    uint32_t home = g->subs[g->root].home;
    g->scope_sub = g_new(uint32_t, files);
    for (size_t i = 0; i < files; i++)
        g->scope_sub[i] = CG_NO_SUB;
    choose_most_calls(g);
    choose_loads(g);
    if (home != CG_NO_FILE)
        g->scope_sub[home] = g->root;
    nytp_line_map *map = cg_subs_lines(g);
    for (size_t i = 0; i < files; i++)
        if (g->scope_sub[i] == CG_NO_SUB)
            g->scope_sub[i] = sub_around(g, map, nytp_profile_file(g->profile, i));
    nytp_line_map_free(map);
}
