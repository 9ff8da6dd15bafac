#include "build.h"

/* A sub that made calls from a file that is not its own, so it ran the file scope of that. */
typedef struct candidate {
    uint32_t file, sub;
    uint64_t calls;
} candidate;

static void add_calls(void *record, const void *other)
{
    ((candidate *)record)->calls += ((const candidate *)other)->calls;
}

static nytp_records find_candidates(const cg_graph *g)
{
    nytp_records candidates;
    nytp_records_init(&candidates, sizeof(candidate), offsetof(candidate, calls));
    for (size_t i = 0; i < nytp_profile_arc_count(g->counts); i++) {
        const nytp_arc *arc = nytp_profile_arc(g->counts, i);
        const cg_sub *caller = &g->subs[arc->caller];
        candidate c = {cg_graph_file_number(g, arc->fid), caller->as_caller, arc->count};
        bool may_run_files = caller->is_root_name || (caller->called && caller->runs_files);
        bool is_at_home = g->subs[c.sub].home == c.file && caller->kind == NYTP_SUB_PERL;
        if (may_run_files && c.file != CG_NO_FILE && !is_at_home && c.calls > 0)
            nytp_records_add(&candidates, &c, add_calls);
    }
    return candidates;
}

/* Several subs may have run the same file. The one with the most calls from it counts, or else the first one.
 */
static void choose_most_calls(cg_graph *g)
{
    nytp_records candidates = find_candidates(g);
    g_autofree uint64_t *most = g_new0(uint64_t, nytp_profile_file_count(g->profile) + 1);
    NYTP_EACH_RECORD(const candidate, c, &candidates) {
        uint32_t *sub = &g->scope_sub[c->file];
        if (c->calls < most[c->file] || (c->calls == most[c->file] && c->sub > *sub))
            continue;
        most[c->file] = c->calls;
        *sub = c->sub;
    }
    nytp_records_clear(&candidates);
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
