/* How long the program waited, and where. Shares of findings are those of the work. */
#include "findings/finder.h"

#include "calls/calltree.h"
#include "model/hashes.h"
#include "model/states.h"
#include "model/waits.h"

#include <math.h>

/* All calls of a sub that waits, by one caller. */
typedef struct nytp_wait_arc {
    double ticks, in_own_ticks; /* with code of the program's own around it */
} wait_arc;

static gint64 key_of(uint32_t a, uint32_t b)
{
    return (gint64)((guint64)a << 32 | b);
}

static void *value_at(GHashTable *table, gint64 key, size_t size)
{
    void *value = g_hash_table_lookup(table, &key);
    if (value == NULL) {
        value = g_malloc0(size);
        g_hash_table_insert(table, g_memdup2(&key, sizeof key), value);
    }
    return value;
}

static nytp_str sub_name(const nytp_finder *f, uint32_t number)
{
    nytp_sub sub = {.name = {"", 0, false}};
    nytp_profile_sub(f->profile, number, &sub);
    return sub.name;
}

typedef struct sub_sum {
    double ticks, asleep_ticks;
} sub_sum;

typedef struct summing {
    const nytp_stacktree *stacks;
    sub_sum *sums; /* by name of the tree */
} summing;

static void add_node(void *context, uint32_t n, uint32_t depth)
{
    const summing *s = context;
    const nytp_node *node = &s->stacks->nodes[n];
    (void)depth;
    s->sums[node->sub].ticks += node->excl_ticks;
    s->sums[node->sub].asleep_ticks += node->waited.asleep_ticks;
}

/* Sets asleep_share from what the stacks say, or else from the names of subs. */
static void find_shares(nytp_finder *f, nytp_calltree *stacks)
{
    const size_t subs = nytp_profile_sub_count(f->profile);
    f->asleep_share = g_new0(double, subs + 1);
    if (stacks == NULL || stacks->calls == 0) {
        for (uint32_t i = 0; i < subs; i++)
            f->asleep_share[i] = nytp_sub_waits(sub_name(f, i));
        return;
    }
    const nytp_names *names = nytp_calltree_names(stacks);
    const uint32_t count = nytp_names_count(names);
    g_autofree sub_sum *sums = g_new0(sub_sum, (size_t)count + 1);
    nytp_stacktree_visit(&stacks->stacks, add_node, &(summing){&stacks->stacks, sums});
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t sub = nytp_found_number(f, nytp_names_get(names, i));
        if (sub != UINT32_MAX && sums[i].ticks > 0)
            f->asleep_share[sub] = CLAMP(sums[i].asleep_ticks / sums[i].ticks, 0, 1);
    }
}

/* By lines; returns the sum. */
static double add_arcs(const nytp_finder *f)
{
    double sum = 0;
    const nytp_arc *arc;
    for (size_t i = 0; (arc = nytp_profile_arc(f->profile, i)) != NULL; i++) {
        const double ticks = (double)arc->excl_ticks * f->asleep_share[arc->callee];
        if (ticks == 0)
            continue;
        *(double *)value_at(f->waits_of_line, key_of(arc->fid, arc->line), sizeof(double)) += ticks;
        sum += ticks;
    }
    return sum;
}

typedef struct open_call {
    uint32_t sub;  /* number of the profile; UINT32_MAX: it does not have it */
    uint32_t name; /* of the tree */
    double waited; /* by it and by what it has called, so far; ticks of the profile */
    bool is_own, is_outermost;
} open_call;

typedef struct walk {
    nytp_finder *f;
    double scale;   /* ticks of the profile in one of the tree */
    uint32_t *subs; /* by name of the tree: number of the profile; UINT32_MAX: it does not have it */
    bool *is_own;
    uint32_t *open; /* by name of the tree: how many calls are on the path */
    GArray *path;   /* open_call */
    guint own;      /* how many calls on the path are of the program's own code */
} walk;

static open_call *call_at(const walk *w, guint depth)
{
    return &g_array_index(w->path, open_call, depth);
}

static void leave_to(walk *w, guint depth)
{
    while (w->path->len > depth) {
        const open_call *left = call_at(w, w->path->len - 1);
        if (left->is_outermost && left->sub != UINT32_MAX)
            w->f->waited_ticks[left->sub] += left->waited;
        if (w->path->len > 1)
            call_at(w, w->path->len - 2)->waited += left->waited;
        w->open[left->name]--;
        w->own -= left->is_own;
        g_array_set_size(w->path, w->path->len - 1);
    }
}

static void note_wait(const walk *w, uint32_t callee, double ticks)
{
    const uint32_t caller = w->path->len > 0 ? call_at(w, w->path->len - 1)->sub : UINT32_MAX;
    wait_arc *arc = value_at(w->f->wait_arcs, key_of(caller, callee), sizeof *arc);
    arc->ticks += ticks;
    arc->in_own_ticks += w->own > 0 ? ticks : 0;
}

static bool add_call(void *context, const nytp_call *call)
{
    walk *w = context;
    const uint32_t sub = w->subs[call->sub];
    leave_to(w, call->depth);
    const double share = sub != UINT32_MAX ? w->f->asleep_share[sub] : 0;
    const double waited = call->excl_ticks * w->scale * share;
    if (share > 0)
        note_wait(w, sub, waited);
    const open_call entered = {sub, call->sub, waited, w->is_own[call->sub], w->open[call->sub]++ == 0};
    w->own += entered.is_own;
    g_array_append_val(w->path, entered);
    return true;
}

static void walk_stacks(nytp_finder *f, nytp_calltree *stacks)
{
    const nytp_names *names = nytp_calltree_names(stacks);
    const uint32_t count = nytp_names_count(names);
    walk w = {.f = f,
              .scale = f->measure.ticks_per_base / nytp_calltree_ticks_per_sec(stacks),
              .subs = g_new(uint32_t, (size_t)count + 1),
              .is_own = g_new0(bool, (size_t)count + 1),
              .open = g_new0(uint32_t, (size_t)count + 1),
              .path = g_array_new(FALSE, FALSE, sizeof(open_call))};
    for (uint32_t i = 0; i < count; i++) {
        const nytp_str name = nytp_names_get(names, i);
        w.subs[i] = nytp_found_number(f, name);
        w.is_own[i] = nytp_found_is_own(f, name);
    }
    f->waited_ticks = g_new0(double, nytp_profile_sub_count(f->profile) + 1);
    nytp_calltree_walk_subs(stacks, add_call, &w);
    leave_to(&w, 0);
    g_array_free(w.path, TRUE);
    g_free(w.open);
    g_free(w.is_own);
    g_free(w.subs);
}

void nytp_find_waits(nytp_finder *f, nytp_calltree *stacks)
{
    f->waits_of_line = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, g_free);
    f->wait_arcs = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, g_free);
    find_shares(f, stacks);
    f->work_ticks = fmax(f->whole_ticks - add_arcs(f), 0);
    if (stacks != NULL && f->work_ticks < f->whole_ticks)
        walk_stacks(f, stacks);
}

void nytp_finder_free_waits(nytp_finder *f)
{
    g_hash_table_destroy(f->waits_of_line);
    g_hash_table_destroy(f->wait_arcs);
    g_free(f->waited_ticks);
    g_free(f->asleep_share);
}

void nytp_find_busy_machine(nytp_finder *f)
{
    const double ticks = nytp_profile_busy_share(f->profile) * f->whole_ticks;
    nytp_find(f, NYTP_FOUND_BUSY_MACHINE, ticks,
              (nytp_found_place){.subject = "the machine", .sub = UINT32_MAX},
              "was busy: the program waited for a processor");
}

double nytp_found_waits_at(const nytp_finder *f, uint32_t fid, uint32_t line)
{
    const gint64 key = key_of(fid, line);
    const double *ticks = g_hash_table_lookup(f->waits_of_line, &key);
    return ticks != NULL ? *ticks : 0;
}

double nytp_found_work(const nytp_finder *f, uint32_t sub, double ticks, double incl_ticks)
{
    if (f->waited_ticks == NULL || !(incl_ticks > 0))
        return ticks;
    return ticks - ticks * CLAMP(f->waited_ticks[sub] / incl_ticks, 0, 1);
}

static bool is_own_line(const nytp_finder *f, uint32_t fid)
{
    const nytp_file *file = nytp_profile_merged_file(f->profile, fid);
    return file != NULL && nytp_origin_of(f->origins, file->name) == NYTP_OWN;
}

bool nytp_found_idles(const nytp_finder *f, const nytp_arc *arc, nytp_str callee)
{
    if (nytp_sub_idles(callee))
        return true;
    if (is_own_line(f, arc->fid))
        return false;
    const gint64 key = key_of(arc->caller, arc->callee);
    const wait_arc *waits = g_hash_table_lookup(f->wait_arcs, &key);
    return waits != NULL && waits->in_own_ticks < waits->ticks / 2;
}
