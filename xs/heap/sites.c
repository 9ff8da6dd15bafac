#include "heap/sites.h"

#include "basics/alloc.h"
#include "heap/threads.h"
#include "hot.h"

static inline uint64_t hash_of_node(uint32_t parent, uint32_t arc)
{
    return ((uint64_t)parent << 32 | arc) * PROF_MIX >> 32;
}

static inline uint64_t hash_of_node_at(const void *nodes, uint32_t number)
{
    const prof_heap_node *n = (const prof_heap_node *)nodes + number;
    return hash_of_node(n->parent, n->arc);
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

static uint32_t node_find(prof_heap *heap, uint32_t parent, uint32_t arc)
{
    if (heap->node_count == heap->node_cap)
        heap->nodes = prof_grow_entries(heap->nodes, heap->node_count, &heap->node_cap, sizeof *heap->nodes,
                                        &heap->node_slots, hash_of_node_at);
    const node_key key = {heap->nodes, parent, arc};
    uint32_t *slot = nytp_slots_find(&heap->node_slots, hash_of_node(parent, arc), is_same_node, &key);
    if (*slot == 0) {
        heap->nodes[heap->node_count] = (prof_heap_node){parent, arc};
        *slot = ++heap->node_count;
    }
    return *slot - 1;
}

static void ensure_root(prof_heap *heap)
{
    if (heap->node_count == 0)
        node_find(heap, PROF_HEAP_ROOT, PROF_HEAP_ROOT);
}

uint32_t prof_heap_child(prof_heap *heap, uint32_t parent, uint32_t arc)
{
    ensure_root(heap);
    return node_find(heap, parent, arc);
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

uint32_t prof_heap_site_find(prof_heap *heap, uint32_t node, uint32_t kind, prof_heap_place place)
{
    ensure_root(heap);
    if (heap->site_count == heap->site_cap)
        heap->sites = prof_grow_entries(heap->sites, heap->site_count, &heap->site_cap, sizeof *heap->sites,
                                        &heap->site_slots, hash_of_site_at);
    const site_key key = {heap->sites, node, kind, place};
    uint32_t *slot = nytp_slots_find(&heap->site_slots, hash_of_site(node, kind, place), is_same_site, &key);
    if (*slot == 0) {
        heap->sites[heap->site_count] = (prof_heap_site){.node = node, .kind = kind, .place = place};
        *slot = ++heap->site_count;
    }
    return *slot - 1;
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
    heap->node_count = heap->site_count = heap->recording = 0;
    heap->has_end = false;
    heap->values = (prof_values){{0}};
}

void prof_heap_free(prof_heap *heap)
{
    free(heap->nodes);
    free(heap->node_slots.at);
    free(heap->sites);
    free(heap->site_slots.at);
    free(heap->attributes);
}

/* ---- what all sites have together */

prof_heap_site prof_sums_elsewhere;
static int64_t peak_bytes; /* of the process */
static uint32_t peak_number;

void prof_sums_add(prof_amount *sum, const prof_amount *more, int sign)
{
    sum->bytes += sign * more->bytes;
    sum->blocks += sign * more->blocks;
    sum->variance += sign * more->variance;
    sum->samples += sign * more->samples;
}

void prof_sums_store_peak(prof_heap_site *site)
{
    site->peak = *prof_heap_amount(site, PROF_HEAP_PEAK, peak_number);
    site->peak_number = peak_number;
}

void prof_sums_forget(prof_heap *heap)
{
    prof_sums_store_peak(&prof_sums_elsewhere);
    for (uint32_t n = 0; n < heap->site_count; n++) {
        prof_heap_site *site = &heap->sites[n];
        prof_sums_store_peak(site);
        prof_sums_add(&prof_sums_elsewhere.live, &site->live, 1);
        prof_sums_add(&prof_sums_elsewhere.peak, &site->peak, 1);
        prof_sums_add(&prof_sums_elsewhere.all, &site->all, 1);
    }
    prof_heap_clear(heap);
}

void prof_sums_begin_peak(void)
{
    peak_bytes = INT64_MIN;
    peak_number++;
}

static int64_t live_bytes(void)
{
    const prof_heap_totals totals = prof_heap_totals_now();
    return (int64_t)(totals.given - totals.returned);
}

void prof_sums_note_peak(void)
{
    const int64_t bytes = live_bytes();
    if (bytes <= peak_bytes)
        return;
    peak_bytes = bytes;
    peak_number++;
}

nytp_calibration prof_sums_calibration(prof_heap_part part)
{
    const prof_amount *outside = prof_heap_amount(&prof_sums_elsewhere, part, peak_number);
    prof_amount sum = *outside;
    PROF_EACH_CONTEXT(p)
        for (uint32_t n = 0; n < p->heap.site_count; n++)
            prof_sums_add(&sum, prof_heap_amount(&p->heap.sites[n], part, peak_number), 1);
    const double truth = part == PROF_HEAP_ALLOC  ? (double)prof_heap_totals_now().given
                         : part == PROF_HEAP_PEAK ? (double)peak_bytes
                                                  : (double)live_bytes();
    return (nytp_calibration){truth, sum.bytes, sum.variance};
}

double prof_sums_peak(const nytp_calibration *all)
{
    const prof_amount *outside = prof_heap_amount(&prof_sums_elsewhere, PROF_HEAP_PEAK, peak_number);
    return (double)peak_bytes - nytp_calibrated(all, outside->bytes, outside->variance);
}
