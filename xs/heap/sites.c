#include "heap/sites.h"

#include "basics/alloc.h"
#include "context.h"
#include "heap/callers.h"
#include "heap/stream.h"

/* What of entries is their key. */
enum { NODE_KEY = offsetof(prof_heap_node, number), SITE_KEY = offsetof(prof_heap_site, number) };

static prof_heap_node *node_at(const prof_heap *heap, uint32_t number)
{
    return (prof_heap_node *)heap->nodes.at + number;
}

static uint32_t node_find(prof *p, uint32_t parent, uint32_t arc)
{
    prof_heap *heap = &p->heap;
    const prof_heap_node node = {parent, arc, 0};
    const uint32_t found = prof_entries_add(&heap->nodes, &node, sizeof node, NODE_KEY);
    if (found != 0)
        return found - 1;
    const uint32_t added = heap->nodes.count - 1;
    if (arc != PROF_HEAP_ROOT)
        node_at(heap, added)->number = prof_stream_node(p, node_at(heap, parent)->number, arc);
    return added;
}

static void ensure_root(prof *p)
{
    if (p->heap.nodes.count == 0)
        node_find(p, PROF_HEAP_ROOT, PROF_HEAP_ROOT);
}

uint32_t prof_heap_child(prof *p, uint32_t parent, uint32_t arc)
{
    ensure_root(p);
    return node_find(p, parent, arc);
}

uint32_t prof_heap_site_find(prof *p, uint32_t node, uint32_t kind, prof_heap_place place)
{
    prof_heap *heap = &p->heap;
    const prof_heap_site site = {node, kind, place, 0};
    ensure_root(p);
    const uint32_t found = prof_entries_add(&heap->sites, &site, sizeof site, SITE_KEY);
    prof_heap_site *at = (prof_heap_site *)heap->sites.at + (found != 0 ? found : heap->sites.count) - 1;
    if (found == 0)
        at->number = prof_stream_site(node_at(heap, node)->number, prof_callers_kind_name(kind), place);
    return at->number;
}

void prof_heap_clear(prof_heap *heap)
{
    prof_entries_forget(&heap->nodes);
    prof_entries_forget(&heap->sites);
}

void prof_heap_free(prof_heap *heap)
{
    free(heap->nodes.at);
    free(heap->nodes.slots.at);
    free(heap->sites.at);
    free(heap->sites.slots.at);
}
