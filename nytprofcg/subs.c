#include "build.h"

#include "base/str.h"
#include "base/ticks.h"
#include "model/load_name.h"
#include "model/measure.h"
#include "nytprof-model.h"

static void set_home(const cg_graph *g, cg_sub *s, const nytp_sub *sub)
{
    const nytp_range *range = nytp_sub_main_range(sub);
    s->kind = sub->kind;
    s->is_root_name = nytp_sub_is_root(sub);
    s->runs_files = sub->kind == NYTP_SUB_PERL || nytp_is_load(sub->name);
    s->home = range != NULL ? cg_graph_file_number(g, range->fid) : CG_NO_FILE;
    s->first_line = range != NULL && s->home != CG_NO_FILE ? range->first_line : 0;
}

bool cg_is_call(const cg_graph *g, const nytp_arc *arc)
{
    const nytp_file *file = g->is_memory ? nytp_profile_file_by_fid(g->profile, arc->fid) : NULL;
    return arc->count > 0 && (file == NULL || (file->flags & NYTP_FID_IS_FAKE) == 0);
}

static void add_arcs(cg_graph *g)
{
    g_autofree int64_t *excl_ticks = g_new0(int64_t, g->root + 1); /* + 1: never NULL */
    for (size_t i = 0; i < nytp_profile_arc_count(g->counts); i++) {
        const nytp_arc *arc = nytp_profile_arc(g->counts, i);
        excl_ticks[arc->callee] = nytp_add_ticks(excl_ticks[arc->callee], arc->excl_ticks);
        g->subs[arc->callee].is_counted |= cg_is_call(g, arc);
        g->subs[arc->callee].called |= arc->count > 0 || arc->excl_ticks > 0 || arc->incl_ticks > 0;
    }
    for (uint32_t i = 0; i < g->root; i++) {
        cg_sub *s = &g->subs[i];
        s->excl_ticks = excl_ticks[i] > 0 ? (uint64_t)excl_ticks[i] : 0;
        s->as_caller = s->called && !s->is_root_name ? i : g->root;
    }
}

/* A perl sub without a place in the profile gets the place of its first call. */
static void guess_homes(cg_graph *g)
{
    for (size_t i = 0; i < nytp_profile_arc_count(g->counts); i++) {
        const nytp_arc *arc = nytp_profile_arc(g->counts, i);
        cg_sub *s = &g->subs[arc->caller];
        if (s->called && s->kind == NYTP_SUB_PERL && s->home == CG_NO_FILE) {
            s->home = cg_graph_file_number(g, arc->fid);
            s->first_line = s->home != CG_NO_FILE ? arc->line : 0;
        }
    }
}

/* Whether the file's path ends with that of the application. */
static bool is_application(const nytp_file *file, nytp_str application)
{
    if (application.length == 0 || file->name.length < application.length)
        return false;
    size_t before = file->name.length - application.length;
    return memcmp(file->name.bytes + before, application.bytes, application.length) == 0 &&
           (before == 0 || file->name.bytes[before - 1] == '/');
}

/* Returns the program's own file: the one that was started, otherwise the one with main::RUNTIME, otherwise
 * the first one that is not an eval. */
static uint32_t main_file(const cg_graph *g, uint32_t runtime_home)
{
    const nytp_str application = nytp_profile_attribute(g->profile, "application");
    uint32_t first = CG_NO_FILE;
    for (size_t i = 0; i < nytp_profile_file_count(g->profile); i++) {
        const nytp_file *file = nytp_profile_file(g->profile, i);
        if (file->eval_fid != 0 || file->name.length == 0)
            continue;
        if (application.length > 0 && is_application(file, application))
            return file->number;
        if (first == CG_NO_FILE)
            first = file->number;
    }
    return runtime_home != CG_NO_FILE ? runtime_home : first;
}

static void find_root(cg_graph *g)
{
    cg_sub *root = &g->subs[g->root];
    uint32_t runtime_home = CG_NO_FILE;
    for (uint32_t i = 0; i < g->root; i++) {
        nytp_sub sub;
        nytp_profile_sub(g->profile, i, &sub);
        if (nytp_str_is(sub.name, NYTP_RUNTIME))
            runtime_home = g->subs[i].home;
    }
    root->runs_files = true;
    root->home = main_file(g, runtime_home);
    root->first_line = root->home != CG_NO_FILE ? 1 : 0;
}

static void add_functions(cg_graph *g)
{
    for (uint32_t i = 0; i <= g->root; i++) {
        cg_sub *s = &g->subs[i];
        if (!s->called && i != g->root)
            continue;
        cg_function own = {.sub = i, .file = s->home, .first_line = s->first_line};
        s->function = g->functions->len;
        g_array_append_val(g->functions, own);
    }
}

void cg_subs_find(cg_graph *g)
{
    g->root = (uint32_t)nytp_profile_sub_count(g->profile);
    g->subs = g_new0(cg_sub, g->root + 1);
    for (uint32_t i = 0; i < g->root; i++) {
        nytp_sub sub;
        nytp_profile_sub(g->profile, i, &sub);
        set_home(g, &g->subs[i], &sub);
    }
    add_arcs(g);
    guess_homes(g);
    find_root(g);
    add_functions(g);
}

static bool has_lines(void *context, uint32_t number, const nytp_sub *sub, uint64_t *weight)
{
    const cg_sub *s = &((const cg_graph *)context)->subs[number];
    *weight = s->excl_ticks;
    return s->called && sub->kind == NYTP_SUB_PERL;
}

nytp_line_map *cg_subs_lines(const cg_graph *g)
{
    return nytp_line_map_new(g->profile, has_lines, (void *)g);
}
