/* How long the program was asleep, and where, and what is left as work: neither asleep nor queued. Shares of
 * findings are those of the work. */
#include "findings/finder.h"

#include "base/str.h"
#include "calls/calltree.h"
#include "model/grow.h"
#include "model/states.h"

#include <math.h>
#include <stddef.h>

/* All calls of a sub that waits, by one caller. */
typedef struct wait_arc {
    uint32_t caller, callee;
    double ticks, in_own_ticks; /* with code of the program's own around it */
} wait_arc;

static void join(void *into, const void *record)
{
    wait_arc *sum = into;
    const wait_arc *more = record;
    sum->ticks += more->ticks;
    sum->in_own_ticks += more->in_own_ticks;
}

typedef struct open_call {
    uint32_t sub;         /* number of the profile; UINT32_MAX: it does not have it */
    uint32_t name;        /* of the tree */
    double ticks, waited; /* of it and of what it has called, so far, and asleep or queued; of the profile */
    bool is_own, is_outermost;
} open_call;

typedef struct walk {
    nytp_finder *f;
    const nytp_stacktree *stacks;
    double scale;     /* ticks of the profile in one of the tree */
    uint32_t outside; /* number of the sub that calls the outermost ones */
    uint32_t *subs;   /* by name of the tree: number of the profile; UINT32_MAX: it does not have it */
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
        if (left->is_outermost && left->sub != UINT32_MAX) {
            w->f->incl[left->sub].ticks += left->ticks;
            w->f->incl[left->sub].waited += left->waited;
        }
        if (w->path->len > 1) {
            call_at(w, w->path->len - 2)->ticks += left->ticks;
            call_at(w, w->path->len - 2)->waited += left->waited;
        }
        w->open[left->name]--;
        w->own -= left->is_own;
        g_array_set_size(w->path, w->path->len - 1);
    }
}

/* Evals are not subs of the profile. What is outside of all calls is the program's own. */
static void note_wait(const walk *w, uint32_t callee, double ticks)
{
    uint32_t caller = UINT32_MAX;
    for (guint depth = w->path->len; depth > 0 && caller == UINT32_MAX; depth--)
        caller = call_at(w, depth - 1)->sub;
    const wait_arc arc = {caller != UINT32_MAX ? caller : w->outside, callee, ticks,
                          w->own > 0 || caller == UINT32_MAX ? ticks : 0};
    nytp_records_add(&w->f->wait_arcs, &arc, join);
}

static void add_call(void *context, uint32_t n, uint32_t depth)
{
    walk *w = context;
    const nytp_node *node = &w->stacks->nodes[n];
    const uint32_t sub = w->subs[node->sub];
    const double asleep = node->waited.asleep_ticks * w->scale, ticks = node->excl_ticks * w->scale,
                 waited = nytp_waited_ticks(node->waited) * w->scale;
    leave_to(w, depth);
    if (asleep > 0)
        note_wait(w, sub, asleep);
    if (sub != UINT32_MAX) {
        w->f->own[sub].ticks += ticks;
        w->f->own[sub].waited += waited;
    }
    const open_call entered = {
        sub, node->sub, ticks, waited, w->is_own[node->sub], w->open[node->sub]++ == 0};
    w->own += entered.is_own;
    g_array_append_val(w->path, entered);
}

static void walk_stacks(nytp_finder *f, nytp_calltree *stacks)
{
    const nytp_names *names = nytp_calltree_names(stacks);
    const uint32_t count = nytp_names_count(names);
    walk w = {.f = f,
              .outside = nytp_found_number(f, nytp_str_of(NYTP_RUNTIME)),
              .stacks = nytp_calltree_stacks(stacks),
              .scale = f->measure.ticks_per_base / nytp_calltree_ticks_per_sec(stacks),
              .subs = g_new(uint32_t, (size_t)count + 1),
              .is_own = g_new0(bool, (size_t)count + 1),
              .open = g_new0(uint32_t, (size_t)count + 1),
              .path = NYTP_ARRAY(open_call)};
    for (uint32_t i = 0; i < count; i++) {
        const nytp_str name = nytp_names_get(names, i);
        w.subs[i] = nytp_found_number(f, name);
        w.is_own[i] = nytp_found_is_own(f, name);
    }
    f->incl = g_new0(nytp_sub_time, nytp_profile_sub_count(f->profile) + 1);
    f->own = g_new0(nytp_sub_time, nytp_profile_sub_count(f->profile) + 1);
    nytp_stacktree_visit(w.stacks, add_call, &w);
    leave_to(&w, 0);
    g_array_free(w.path, TRUE);
    g_free(w.open);
    g_free(w.is_own);
    g_free(w.subs);
}

/* Of a profile without statements the lines do not know it, and of one without calls the stacks. */
void nytp_find_waits(nytp_finder *f, nytp_calltree *stacks)
{
    f->line_waits = nytp_profile_line_waits(f->profile);
    double of_lines = 0;
    NYTP_EACH_RECORD(const nytp_line_waited, one, &f->line_waits)
        of_lines += nytp_waited_ticks(one->waited);
    const double of_stacks = stacks != NULL ? nytp_waited_ticks(stacks->waited) * f->measure.ticks_per_base /
                                                  nytp_calltree_ticks_per_sec(stacks)
                                            : 0;
    f->work_ticks = fmax(f->whole_ticks - fmax(of_lines, of_stacks), 0);
    if (stacks == NULL || stacks->calls == 0)
        return;
    nytp_records_init(&f->wait_arcs, sizeof(wait_arc), offsetof(wait_arc, ticks));
    f->knows_stacks = true;
    if (f->work_ticks < f->whole_ticks)
        walk_stacks(f, stacks);
}

void nytp_finder_free_waits(nytp_finder *f)
{
    nytp_records_clear(&f->line_waits);
    if (f->knows_stacks)
        nytp_records_clear(&f->wait_arcs);
    g_free(f->incl);
    g_free(f->own);
}

void nytp_find_busy_machine(nytp_finder *f)
{
    const double ticks = nytp_profile_busy_share(f->profile) * f->whole_ticks;
    nytp_find(f, NYTP_FOUND_BUSY_MACHINE, ticks,
              (nytp_found_place){.subject = "the machine", .sub = UINT32_MAX},
              "was busy: the program waited for a processor");
}

nytp_waited nytp_found_waits_at(const nytp_finder *f, uint32_t fid, uint32_t line)
{
    return nytp_line_waits_at(&f->line_waits, fid, line, INFINITY);
}

static const wait_arc *arc_of(const nytp_finder *f, const nytp_arc *arc)
{
    const wait_arc like = {.caller = arc->caller, .callee = arc->callee};
    return f->knows_stacks ? nytp_records_find(&f->wait_arcs, &like) : NULL;
}

double nytp_found_asleep(const nytp_finder *f, const nytp_arc *arc, nytp_str callee)
{
    const wait_arc *of_stacks = arc_of(f, arc);
    const double ticks = fmax((double)arc->excl_ticks, 0);
    if (f->knows_stacks)
        return of_stacks != NULL ? fmin(of_stacks->ticks, ticks) : 0;
    return nytp_waits_by_name(callee) ? ticks : 0;
}

/* The part of a time of a sub that is work, as in all its time. */
static double work_of(const nytp_sub_time *times, uint32_t sub, double ticks)
{
    return times != NULL && sub != UINT32_MAX && times[sub].ticks > 0
               ? ticks - ticks * CLAMP(times[sub].waited / times[sub].ticks, 0, 1)
               : ticks;
}

double nytp_found_work(const nytp_finder *f, uint32_t sub, double ticks)
{
    return work_of(f->incl, sub, ticks);
}

double nytp_found_own_work(const nytp_finder *f, const nytp_arc *arc, nytp_str callee)
{
    const double ticks = (double)arc->excl_ticks;
    return f->knows_stacks ? work_of(f->own, arc->callee, ticks) : ticks - nytp_found_asleep(f, arc, callee);
}

bool nytp_found_idles(const nytp_finder *f, const nytp_arc *arc, nytp_str callee)
{
    const nytp_file *file = nytp_profile_merged_file(f->profile, arc->fid);
    const wait_arc *waits = arc_of(f, arc);
    if (nytp_idles_by_name(callee))
        return true;
    if (file != NULL && nytp_origin_of(f->origins, file->name) == NYTP_OWN)
        return false;
    return waits != NULL && waits->in_own_ticks < waits->ticks / 2;
}
