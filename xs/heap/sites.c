#include "heap/sites.h"

#include "basics/alloc.h"
#include "context.h"
#include "heap/callers.h"
#include "heap/stream.h"
#include "hot.h"

static inline uint64_t hash_of_node_at(const void *nodes, uint32_t number)
{
    const prof_heap_node *n = (const prof_heap_node *)nodes + number;
    return prof_hash_of_two(n->parent, n->arc);
}

typedef struct node_key {
    const prof_heap_node *nodes;
    uint32_t parent, arc;
} node_key;

static inline bool is_same_node(const void *key, uint32_t number)
{
    const node_key *k = key;
    return k->nodes[number].arc == k->arc && k->nodes[number].parent == k->parent;
}

static uint32_t number_of(const prof *p, uint32_t parent, uint32_t arc)
{
    return arc != PROF_HEAP_ROOT ? prof_stream_node(p, p->heap.nodes[parent].number, arc) : 0;
}

static uint32_t node_find(prof *p, uint32_t parent, uint32_t arc)
{
    prof_heap *heap = &p->heap;
    if (heap->node_count == heap->node_cap)
        heap->nodes = prof_grow_entries(heap->nodes, heap->node_count, &heap->node_cap, sizeof *heap->nodes,
                                        &heap->node_slots, hash_of_node_at);
    const node_key key = {heap->nodes, parent, arc};
    uint32_t *slot = nytp_slots_find(&heap->node_slots, prof_hash_of_two(parent, arc), is_same_node, &key);
    if (*slot == 0) {
        heap->nodes[heap->node_count] = (prof_heap_node){parent, arc, number_of(p, parent, arc)};
        *slot = ++heap->node_count;
    }
    return *slot - 1;
}

static void ensure_root(prof *p)
{
    if (p->heap.node_count == 0)
        node_find(p, PROF_HEAP_ROOT, PROF_HEAP_ROOT);
}

uint32_t prof_heap_child(prof *p, uint32_t parent, uint32_t arc)
{
    ensure_root(p);
    return node_find(p, parent, arc);
}

static inline uint64_t hash_of_site(uint32_t node, uint32_t kind, prof_heap_place place)
{
    const uint64_t a = ((uint64_t)node << 32 | place.line) * PROF_MIX;
    const uint64_t b = ((uint64_t)place.file << 32 | kind) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (a ^ b >> 29) * PROF_MIX >> 32;
}

static inline uint64_t hash_of_site_at(const void *sites, uint32_t number)
{
    const prof_heap_site *s = (const prof_heap_site *)sites + number;
    return hash_of_site(s->node, s->kind, s->place);
}

typedef struct site_key {
    const prof_heap_site *sites;
    uint32_t node, kind;
    prof_heap_place place;
} site_key;

static inline bool is_same_site(const void *key, uint32_t number)
{
    const site_key *k = key;
    const prof_heap_site *s = &k->sites[number];
    return s->node == k->node && s->kind == k->kind && s->place.line == k->place.line &&
           s->place.file == k->place.file;
}

uint32_t prof_heap_site_find(prof *p, uint32_t node, uint32_t kind, prof_heap_place place)
{
    prof_heap *heap = &p->heap;
    ensure_root(p);
    if (heap->site_count == heap->site_cap)
        heap->sites = prof_grow_entries(heap->sites, heap->site_count, &heap->site_cap, sizeof *heap->sites,
                                        &heap->site_slots, hash_of_site_at);
    const site_key key = {heap->sites, node, kind, place};
    uint32_t *slot = nytp_slots_find(&heap->site_slots, hash_of_site(node, kind, place), is_same_site, &key);
    if (*slot == 0) {
        const uint32_t number =
            prof_stream_site(heap->nodes[node].number, prof_callers_kind_name(kind), place);
        heap->sites[heap->site_count] = (prof_heap_site){node, kind, place, number};
        *slot = ++heap->site_count;
    }
    return heap->sites[*slot - 1].number;
}

static void empty(nytp_slots *slots, uint32_t cap)
{
    if (cap > 0)
        memset(slots->at, 0, (slots->mask + 1) * sizeof *slots->at);
}

void prof_heap_clear(prof_heap *heap)
{
    empty(&heap->node_slots, heap->node_cap);
    empty(&heap->site_slots, heap->site_cap);
    heap->node_count = heap->site_count = 0;
}

void prof_heap_free(prof_heap *heap)
{
    free(heap->nodes);
    free(heap->node_slots.at);
    free(heap->sites);
    free(heap->site_slots.at);
}
