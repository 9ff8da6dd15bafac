#include "calls/kinds.h"

#include "base/order.h"
#include "base/str.h"
#include "format/memory.h"
#include "format/tags.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/names.h"

#include <string.h>

#define OUTSIDE UINT32_MAX /* of all subs */

/* What an open call has of one kind. */
typedef struct held {
    uint32_t depth, kind;
    double bytes;
    uint64_t blocks;
} held;

struct nytp_kinds {
    const nytp_events *events;
    const nytp_names *subs;  /* both are the caller's */
    nytp_names *names;       /* of kinds, by their numbers */
    GArray *open;            /* held, by depth */
    GArray *sums;            /* nytp_kind_sum; the owner is the number of a name, or OUTSIDE */
    GArray *files;           /* nytp_kind_sum, of the current profile, by file_places */
    GHashTable *file_places; /* gint64, fid and kind, to the place in files, + 1 */
    GArray *by_file;         /* nytp_kind_sum, of profiles that have ended */
    guint added_up;          /* how many sums there were when sums of one sub and kind were last added up */
    double bytes;            /* of the current statement */
    uint32_t kind, new_kind; /* of the current statement; said for the next one */
    bool has_new_kind;
};

nytp_kinds *nytp_kinds_new(void)
{
    nytp_kinds *k = g_new0(nytp_kinds, 1);
    k->names = nytp_names_new();
    k->open = NYTP_ARRAY(held);
    k->sums = NYTP_ARRAY(nytp_kind_sum);
    k->files = NYTP_ARRAY(nytp_kind_sum);
    k->file_places = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, NULL);
    k->by_file = NYTP_ARRAY(nytp_kind_sum);
    return k;
}

void nytp_kinds_free(nytp_kinds *k)
{
    if (k == NULL)
        return;
    nytp_names_free(k->names);
    g_array_unref(k->open);
    g_array_unref(k->sums);
    g_array_unref(k->files);
    g_hash_table_destroy(k->file_places);
    g_array_unref(k->by_file);
    g_free(k);
}

uint32_t nytp_kinds_count(const nytp_kinds *k)
{
    return nytp_names_count(k->names);
}

nytp_str nytp_kinds_name(const nytp_kinds *k, uint32_t kind)
{
    return nytp_names_get(k->names, kind);
}

int64_t nytp_kinds_find(const nytp_kinds *k, const char *name)
{
    const nytp_str kind = {name, strlen(name), false};
    return nytp_names_find(k->names, &kind);
}

static int by_owner_and_kind(const void *a, const void *b)
{
    const nytp_kind_sum *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->owner, y->owner), NYTP_ORDER(x->kind, y->kind));
}

static void add_sum(void *record, const void *other)
{
    nytp_kind_sum *sum = record;
    const nytp_kind_sum *more = other;
    sum->bytes += more->bytes;
    sum->blocks += more->blocks;
}

static void add_up(GArray *sums)
{
    nytp_group_sort(sums, by_owner_and_kind);
    nytp_group_merge(sums, by_owner_and_kind, add_sum);
}

static void add(nytp_kinds *k, uint32_t sub, const held *of)
{
    enum { FEW = 4096 };
    const nytp_kind_sum sum = {sub, of->kind, of->bytes, of->blocks};
    g_array_append_val(k->sums, sum);
    if (k->sums->len < 2 * k->added_up + FEW)
        return;
    add_up(k->sums);
    k->added_up = k->sums->len;
}

/* What is held from this depth on is the sub's. */
static void give(nytp_kinds *k, uint32_t depth, uint32_t sub)
{
    while (k->open->len > 0) {
        const held *last = &g_array_index(k->open, held, k->open->len - 1);
        if (last->depth < depth)
            return;
        add(k, sub, last);
        g_array_set_size(k->open, k->open->len - 1);
    }
}

/* Returns one of the last of that depth, or a new one. There are about fifteen kinds. */
static held *held_of(GArray *open, uint32_t depth, uint32_t kind)
{
    enum { LOOKED_AT = 32 };
    const held none = {depth, kind, 0, 0};
    for (guint i = 1; i <= MIN(open->len, LOOKED_AT); i++) {
        held *h = &g_array_index(open, held, open->len - i);
        if (h->depth != depth)
            break;
        if (h->kind == kind)
            return h;
    }
    g_array_append_val(open, none);
    return &g_array_index(open, held, open->len - 1);
}

/* ---- the sink ---- */

static uint32_t number_of(nytp_kinds *k, nytp_str kind)
{
    return nytp_names_intern(k->names, &kind, NULL);
}

static void on_process(void *sink)
{
    give(sink, 0, OUTSIDE);
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_kinds *k = sink;
    if (nytp_mark_kind(chunk) != NYTP_MARK_MEMORY)
        return;
    k->new_kind = number_of(k, nytp_memory_read(chunk->attribute.value).kind);
    k->has_new_kind = true;
}

static void on_time(void *sink, double ticks)
{
    ((nytp_kinds *)sink)->bytes = ticks;
}

static void add_to_file(nytp_kinds *k, uint32_t fid, uint32_t kind, double bytes, uint64_t blocks)
{
    const gint64 key = (gint64)((guint64)fid << 32 | kind);
    const nytp_kind_sum none = {fid, kind, 0, 0};
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(k->file_places, &key));
    if (place == 0) {
        g_array_append_val(k->files, none);
        place = k->files->len;
        g_hash_table_insert(k->file_places, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(place));
    }
    nytp_kind_sum *sum = &g_array_index(k->files, nytp_kind_sum, place - 1);
    sum->bytes += bytes;
    sum->blocks += blocks;
}

/* A statement without blocks continues the one before it. */
static void on_sample(void *sink, const nytp_sample_event *sample)
{
    nytp_kinds *k = sink;
    if (!nytp_measure_is_bytes(nytp_events_measure(k->events)))
        return;
    if (sample->count > 0)
        k->kind = k->has_new_kind ? k->new_kind : number_of(k, nytp_memory_unknown.kind);
    k->has_new_kind = false;
    held *h = held_of(k->open, sample->depth, k->kind);
    h->bytes += k->bytes;
    h->blocks += sample->count;
    add_to_file(k, sample->fid, k->kind, k->bytes, sample->count);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    give(sink, call->depth, call->sub);
}

void nytp_kinds_take(nytp_kinds *k, const nytp_names *names, nytp_events *events)
{
    static const nytp_sink type = {.on_process = on_process,
                                   .on_chunk = on_chunk,
                                   .on_time = on_time,
                                   .on_sample = on_sample,
                                   .on_call = on_call,
                                   .tags = NYTP_BIT(ATTRIBUTE)};
    on_process(k);
    k->events = events;
    k->subs = names;
    nytp_events_add_sink(events, &type, k);
}

/* ---- what was taken ---- */

void nytp_kinds_end_profile(nytp_kinds *k, nytp_kinds_fid_fn *fid_of, const void *context)
{
    NYTP_EACH(const nytp_kind_sum, sum, k->files) {
        nytp_kind_sum one = *sum;
        if (fid_of != NULL)
            one.owner = fid_of(context, one.owner);
        g_array_append_val(k->by_file, one);
    }
    add_up(k->by_file);
    g_array_set_size(k->files, 0);
    g_hash_table_remove_all(k->file_places);
}

const GArray *nytp_kinds_by_file(const nytp_kinds *k)
{
    return k->by_file;
}

/* Returns the numbers in the profile of subs by those of their names, OUTSIDE if it does not have them. The
 * last one is that of main::RUNTIME. */
static uint32_t *numbers_in(const nytp_kinds *k, const nytp_profile *profile)
{
    const uint32_t count = nytp_names_count(k->subs);
    uint32_t *numbers = g_new(uint32_t, count + 1);
    nytp_sub sub;
    memset(numbers, 0xFF, (count + 1) * sizeof *numbers);
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++) {
        const int64_t name = nytp_names_find(k->subs, &sub.name);
        if (name >= 0)
            numbers[name] = i;
        if (nytp_sub_is_root(&sub))
            numbers[count] = i;
    }
    return numbers;
}

GArray *nytp_kinds_by_sub(nytp_kinds *k, const nytp_profile *profile)
{
    GArray *sums = NYTP_ARRAY(nytp_kind_sum);
    if (k->subs == NULL)
        return sums;
    on_process(k);
    g_autofree uint32_t *numbers = numbers_in(k, profile);
    const uint32_t count = nytp_names_count(k->subs);
    NYTP_EACH(const nytp_kind_sum, one, k->sums) {
        nytp_kind_sum sum = *one;
        sum.owner = numbers[sum.owner == OUTSIDE ? count : sum.owner];
        if (sum.owner != OUTSIDE)
            g_array_append_val(sums, sum);
    }
    add_up(sums);
    return sums;
}

void nytp_kind_sums_move(GArray *sums, const uint32_t *moved)
{
    NYTP_EACH(nytp_kind_sum, sum, sums)
        sum->owner = moved[sum->owner];
    add_up(sums);
}
