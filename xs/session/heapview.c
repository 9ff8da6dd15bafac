#include "session/heapfiles.h"

#include "base/order.h"
#include "base/str.h"
#include "basics/alloc.h"
#include "heap/callers.h"
#include "heap/heap.h"
#include "hot.h"

/* The calls that do not belong to an arc are made by main::RUNTIME. */
static prof_heap_call call_of(const prof_heap_view *v, prof *p, uint32_t node)
{
    const prof_heap_node *n = &v->heap.nodes[node];
    prof_heap_call c = {.node = node, .parent = n->parent, .fid = v->unknown_fid, .line = 1};
    if (n->arc == PROF_HEAP_OUTSIDE || n->arc == PROF_HEAP_DEEPER) {
        c.caller = prof_sub_named(p, "main::RUNTIME", 4);
        c.callee = prof_sub_named(p, n->arc == PROF_HEAP_OUTSIDE ? "(no perl)" : "(deeper)", 0);
    } else {
        const prof_arc *a = &p->arcs.at[n->arc];
        c.caller = a->caller;
        c.callee = a->callee;
        c.line = a->line;
        c.fid = a->fid != 0 ? a->fid : v->unknown_fid;
    }
    return c;
}

static int compare_calls(const void *a_, const void *b_)
{
    const prof_heap_call *a = a_, *b = b_;
    const int order = nytp_order2(NYTP_ORDER(a->parent, b->parent), nytp_str_order(a->name, b->name));
    return nytp_order4(order, NYTP_ORDER(a->fid, b->fid), NYTP_ORDER(a->line, b->line),
                       NYTP_ORDER(a->node, b->node));
}

/* The names of subs are looked up when all subs are there, because new ones move the others. */
static void order_calls(prof_heap_view *v, prof *p)
{
    const uint32_t count = v->heap.node_count;
    prof_heap_call *sorted = prof_alloc(count * sizeof *sorted);
    v->calls = prof_alloc(count * sizeof *v->calls);
    v->order = prof_alloc(count * sizeof *v->order);
    v->first = prof_alloc((count + 1) * sizeof *v->first);
    for (uint32_t n = 1; n < count; n++)
        sorted[n - 1] = call_of(v, p, n);
    for (uint32_t n = 0; n + 1 < count; n++)
        sorted[n].name = prof_sub_name(&p->subs, sorted[n].callee);
    for (uint32_t n = 0; n + 1 < count; n++)
        v->calls[sorted[n].node] = sorted[n];
    if (count > 1)
        qsort(sorted, count - 1, sizeof *sorted, compare_calls);
    for (uint32_t n = 0; n + 1 < count; n++) {
        v->order[n] = sorted[n].node;
        v->first[sorted[n].parent + 1]++;
    }
    for (uint32_t n = 0; n < count; n++)
        v->first[n + 1] += v->first[n];
    free(sorted);
}

static int compare_sites(const void *a_, const void *b_)
{
    const prof_heap_written *a = a_, *b = b_;
    return nytp_order4(NYTP_ORDER(a->of->node, b->of->node), NYTP_ORDER(a->fid, b->fid),
                       NYTP_ORDER(a->of->place.line, b->of->place.line), strcmp(a->kind, b->kind));
}

/* Returns 0 if the file is not known. */
static uint32_t fid_of(pTHX_ prof *p, prof_heap_place place, bool perl_lives)
{
    const char *name = place.file > 0 ? prof_samples_file(place.file) : NULL;
    if (name == NULL)
        return 0;
    return perl_lives ? prof_fid(aTHX_ p, name, strlen(name), NYTP_FID_VIA_STMT)
                      : prof_fid_if_known(&p->files, name, strlen(name));
}

static void order_sites(pTHX_ prof_heap_view *v, prof *p, bool perl_lives)
{
    const uint32_t count = v->heap.site_count;
    v->sites = prof_alloc(count * sizeof *v->sites);
    v->first_site = prof_alloc((v->heap.node_count + 1) * sizeof *v->first_site);
    for (uint32_t n = 0; n < count; n++) {
        const prof_heap_site *s = &v->heap.sites[n];
        v->sites[n] =
            (prof_heap_written){s, fid_of(aTHX_ p, s->place, perl_lives), prof_callers_kind_name(s->kind)};
        v->first_site[s->node + 1]++;
    }
    v->unknown_fid = prof_file_count(&p->files) + 1;
    for (uint32_t n = 0; n < count; n++)
        if (v->sites[n].fid == 0)
            v->sites[n].fid = v->unknown_fid;
    for (uint32_t n = 0; n < v->heap.node_count; n++)
        v->first_site[n + 1] += v->first_site[n];
    qsort(v->sites, count, sizeof *v->sites, compare_sites);
}

prof_heap_view *prof_heap_view_new(pTHX_ prof *p, bool perl_lives)
{
    prof_heap_view *v = prof_alloc(sizeof *v);
    v->peak_bytes = prof_samples_snapshot(p, &v->heap);
    v->has_ended = v->heap.has_end && (p->heap.is_over || !perl_lives || PL_phase >= PERL_PHASE_END);
    if (!v->has_ended && perl_lives)
        v->heap.values = prof_heap_values(aTHX);
    order_sites(aTHX_ v, p, perl_lives);
    order_calls(v, p);
    return v;
}

void prof_heap_view_free(prof_heap_view *view)
{
    prof_heap_free(&view->heap);
    free(view->calls);
    free(view->order);
    free(view->first);
    free(view->sites);
    free(view->first_site);
    free(view);
}
