/* Who runs which code: the subs theirs; and for the code of a file that is in no sub an owner is found. */
#include "graph.h"

#include "base/str.h"
#include "base/ticks.h"
#include "model/profile.h"

/* ---- subs ---- */

static void find_home(const graph *g, owner *o, const nytp_sub *sub)
{
    const nytp_range *home = nytp_sub_home(sub);
    o->kind = sub->kind;
    o->is_root_name = nytp_sub_is_root(sub);
    o->home = home != NULL ? graph_file_number(g, home->fid) : NO_FILE;
    o->first_line = home != NULL && o->home != NO_FILE ? home->first_line : 0;
}

static void add_arcs(graph *g)
{
    int64_t *excl_ticks = g_new0(int64_t, g->root + 1); /* the root too, so never none */
    for (size_t i = 0; i < nytp_profile_arc_count(g->profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(g->profile, i);
        excl_ticks[arc->callee] = nytp_add_ticks(excl_ticks[arc->callee], arc->excl_ticks);
        g->owners[arc->callee].called |= arc->count > 0;
    }
    for (uint32_t i = 0; i < g->root; i++) {
        owner *o = &g->owners[i];
        o->excl_ticks = excl_ticks[i] > 0 ? (uint64_t)excl_ticks[i] : 0;
        o->as_caller = o->called && !o->is_root_name ? i : g->root;
    }
    g_free(excl_ticks);
}

/* A perl sub whose place the profile does not tell is where it first calls from. */
static void guess_homes(graph *g)
{
    for (size_t i = 0; i < nytp_profile_arc_count(g->profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(g->profile, i);
        owner *o = &g->owners[arc->caller];
        if (o->called && o->kind == NYTP_SUB_PERL && o->home == NO_FILE) {
            o->home = graph_file_number(g, arc->fid);
            o->first_line = o->home != NO_FILE ? arc->line : 0;
        }
    }
}

/* ---- the root ---- */

static bool is_application(const nytp_file *file, nytp_str application)
{
    if (application.length == 0 || file->name.length < application.length)
        return false;
    size_t before = file->name.length - application.length;
    return memcmp(file->name.bytes + before, application.bytes, application.length) == 0 &&
           (before == 0 || file->name.bytes[before - 1] == '/');
}

/* The program's own file: the one named as it was started, else where main::RUNTIME is said to be,
 * else the first that is no eval. */
static uint32_t main_file(const graph *g, uint32_t runtime_home)
{
    const nytp_setting *s = nytp_profile_setting(g->profile, NYTP_ATTRIBUTE, "application");
    uint32_t first = NO_FILE;
    for (size_t i = 0; i < nytp_profile_file_count(g->profile); i++) {
        const nytp_file *file = nytp_profile_file(g->profile, i);
        if (file->eval_fid != 0 || file->name.length == 0)
            continue;
        if (s != NULL && is_application(file, s->value))
            return file->number;
        if (first == NO_FILE)
            first = file->number;
    }
    return runtime_home != NO_FILE ? runtime_home : first;
}

static void find_root(graph *g)
{
    owner *root = &g->owners[g->root];
    uint32_t runtime_home = NO_FILE;
    for (uint32_t i = 0; i < g->root; i++) {
        nytp_sub sub;
        nytp_profile_sub(g->profile, i, &sub);
        if (nytp_str_is(sub.name, "main::RUNTIME"))
            runtime_home = g->owners[i].home;
    }
    root->home = main_file(g, runtime_home);
    root->first_line = root->home != NO_FILE ? 1 : 0;
}

/* ---- file scope ---- */

/* An owner runs code of a file that is in no sub. */
typedef struct claim {
    uint32_t file, owner;
    uint64_t calls;
} claim;

/* Calls from a file that is not the caller's own: the caller runs its file scope. */
static void collect_claims(const graph *g, GArray *claims)
{
    for (size_t i = 0; i < nytp_profile_arc_count(g->profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(g->profile, i);
        const owner *caller = &g->owners[arc->caller];
        claim c = {graph_file_number(g, arc->fid), caller->as_caller, arc->count};
        bool can_claim = caller->is_root_name || (caller->called && caller->kind == NYTP_SUB_PERL);
        if (can_claim && c.file != NO_FILE && g->owners[c.owner].home != c.file && c.calls > 0)
            g_array_append_val(claims, c);
    }
}

static int by_file_and_owner(const void *a, const void *b)
{
    const claim *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->owner > y->owner) - (x->owner < y->owner);
}

/* Several may run the same file: it is given to the one who calls most from it. */
static void heed_claims(graph *g)
{
    GArray *claims = g_array_new(FALSE, FALSE, sizeof(claim));
    collect_claims(g, claims);
    graph_sort(claims, by_file_and_owner);
    uint64_t most = 0;
    for (guint i = 0, end; i < claims->len; i = end) {
        claim sum = g_array_index(claims, claim, i);
        if (i == 0 || g_array_index(claims, claim, i - 1).file != sum.file)
            most = 0;
        for (end = i + 1; end < claims->len; end++) {
            const claim *next = &g_array_index(claims, claim, end);
            if (by_file_and_owner(&sum, next) != 0)
                break;
            sum.calls += next->calls;
        }
        if (sum.calls > most) {
            most = sum.calls;
            g->scope_owner[sum.file] = sum.owner;
        }
    }
    g_array_free(claims, TRUE);
}

/* An eval that called nothing was run by the code around it. */
static uint32_t owner_around(const graph *g, const places *p, const nytp_file *eval)
{
    const nytp_file *outer;
    for (int depth = 0; depth < GRAPH_DEEPEST_NEST && (outer = graph_file_around(g, eval)) != NULL; depth++) {
        uint32_t sub = places_at(p, outer->number, eval->eval_line).sub;
        if (sub != g->root)
            return sub;
        if (g->scope_owner[outer->number] != NO_FILE)
            return g->scope_owner[outer->number];
        eval = outer;
    }
    return g->root;
}

static void find_scope_owners(graph *g)
{
    size_t files = nytp_profile_file_count(g->profile);
    uint32_t home = g->owners[g->root].home;
    g->scope_owner = g_new(uint32_t, files);
    for (size_t i = 0; i < files; i++)
        g->scope_owner[i] = NO_FILE;
    heed_claims(g);
    if (home != NO_FILE)
        g->scope_owner[home] = g->root;
    places p;
    places_init(&p, g);
    for (size_t i = 0; i < files; i++)
        if (g->scope_owner[i] == NO_FILE)
            g->scope_owner[i] = owner_around(g, &p, nytp_profile_file(g->profile, i));
    places_clear(&p);
}

void owners_find(graph *g)
{
    g->root = nytp_profile_sub_count(g->profile);
    g->owners = g_new0(owner, g->root + 1);
    for (uint32_t i = 0; i < g->root; i++) {
        nytp_sub sub;
        nytp_profile_sub(g->profile, i, &sub);
        find_home(g, &g->owners[i], &sub);
    }
    add_arcs(g);
    guess_homes(g);
    find_root(g);
    find_scope_owners(g);
    for (uint32_t i = 0; i <= g->root; i++) {
        owner *o = &g->owners[i];
        if (!o->called && i != g->root)
            continue;
        node n = {.owner = i, .file = o->home, .first_line = o->first_line};
        o->node = g->nodes->len;
        g_array_append_val(g->nodes, n);
    }
}
