#include "calls/kinds.h"

#include "calls/calltree.h"
#include "base/order.h"
#include "base/str.h"
#include "format/memory.h"
#include "format/tags.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/names.h"
#include "model/records.h"
#include "model/subs.h"

#include <string.h>

#define OUTSIDE UINT32_MAX /* of all subs */

struct nytp_kinds {
    const nytp_events *events;
    const nytp_names *subs;    /* both are the caller's */
    nytp_names *names;         /* of kinds, by their numbers */
    GArray *open;              /* nytp_kind_sum, by the owner: the depth of an open call */
    GArray *sums;              /* nytp_kind_sum; the owner is the number of a name, or OUTSIDE */
    nytp_records lines;        /* nytp_kind_sum, of the current profile */
    GArray *by_line, *by_file; /* nytp_kind_sum, of profiles that have ended */
    guint added_up;            /* how many sums there were when sums of one sub and kind were last added up */
    double bytes;              /* of the current statement */
    uint32_t kind;             /* of the current statement */
    nytp_kind_sum next;        /* what is said of the next one */
    bool has_next;
    double variance;       /* of everything */
    nytp_calltree *errors; /* NULL if nobody wants it, */
    nytp_arc_sums *arcs;   /* nor this */
    int profiles, counted; /* how many have ended; and those whose sums of all samples were counted */
};

nytp_kinds *nytp_kinds_new(void)
{
    nytp_kinds *k = g_new0(nytp_kinds, 1);
    k->names = nytp_names_new();
    k->open = NYTP_ARRAY(nytp_kind_sum);
    k->sums = NYTP_ARRAY(nytp_kind_sum);
    nytp_records_init(&k->lines, sizeof(nytp_kind_sum), offsetof(nytp_kind_sum, samples));
    k->by_line = NYTP_ARRAY(nytp_kind_sum);
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
    nytp_records_clear(&k->lines);
    g_array_unref(k->by_line);
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
    return nytp_order3(NYTP_ORDER(x->owner, y->owner), NYTP_ORDER(x->line, y->line),
                       NYTP_ORDER(x->kind, y->kind));
}

static void add_sum(void *record, const void *other)
{
    nytp_kind_sum *sum = record;
    const nytp_kind_sum *more = other;
    sum->bytes += more->bytes;
    sum->blocks += more->blocks;
    sum->samples += more->samples;
    sum->variance += more->variance;
}

static void add_up(GArray *sums)
{
    nytp_group_sort(sums, by_owner_and_kind);
    nytp_group_merge(sums, by_owner_and_kind, add_sum);
}

static void add(nytp_kinds *k, nytp_kind_sum sum)
{
    enum { FEW = 4096 };
    g_array_append_val(k->sums, sum);
    if (k->sums->len < 2 * k->added_up + FEW)
        return;
    add_up(k->sums);
    k->added_up = k->sums->len;
}

/* What is held from this depth on is the sub's. Returns what that is. */
static nytp_kind_sum give(nytp_kinds *k, uint32_t depth, uint32_t sub)
{
    nytp_kind_sum all = {.owner = sub};
    while (k->open->len > 0) {
        nytp_kind_sum last = g_array_index(k->open, nytp_kind_sum, k->open->len - 1);
        if (last.owner < depth)
            break;
        last.owner = sub;
        add(k, last);
        add_sum(&all, &last);
        g_array_set_size(k->open, k->open->len - 1);
    }
    return all;
}

/* Adds it to one of the last of its depth, or as a new one. There are about fifteen kinds. */
static void hold(GArray *open, const nytp_kind_sum *more)
{
    enum { LOOKED_AT = 32 };
    for (guint i = 1; i <= MIN(open->len, LOOKED_AT); i++) {
        nytp_kind_sum *sum = &g_array_index(open, nytp_kind_sum, open->len - i);
        if (sum->owner != more->owner)
            break;
        if (sum->kind != more->kind)
            continue;
        add_sum(sum, more);
        return;
    }
    g_array_append_vals(open, more, 1);
}

/* ---- the sink ---- */

static uint32_t number_of(nytp_kinds *k, nytp_str kind)
{
    return nytp_names_intern(k->names, &kind, NULL);
}

static bool is_of_memory(const nytp_kinds *k)
{
    return nytp_measure_is_bytes(nytp_events_measure(k->events));
}

static void on_process(void *sink)
{
    nytp_kinds *k = sink;
    give(k, 0, OUTSIDE);
    if (k->errors != NULL)
        nytp_calltree_end_stack(k->errors);
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_kinds *k = sink;
    if (nytp_str_is(chunk->attribute.key, NYTP_SAMPLED_SUM_KEY)) {
        const double left_out = nytp_str_number(chunk->attribute.value);
        k->counted++;
        k->variance += left_out * left_out;
    }
    if (nytp_mark_kind(chunk) != NYTP_MARK_MEMORY)
        return;
    const nytp_memory memory = nytp_memory_read(chunk->attribute.value);
    const double error = (double)memory.error_bytes;
    k->next = (nytp_kind_sum){
        .kind = number_of(k, memory.kind), .samples = (uint32_t)memory.samples, .variance = error * error};
    k->has_next = true;
}

static void on_time(void *sink, double ticks)
{
    ((nytp_kinds *)sink)->bytes = ticks;
}

/* A statement without blocks continues the one before it. */
static void on_sample(void *sink, const nytp_sample_event *sample)
{
    nytp_kinds *k = sink;
    if (!is_of_memory(k))
        return;
    nytp_kind_sum sum = {.kind = k->kind};
    if (sample->count > 0)
        sum = k->has_next ? k->next : (nytp_kind_sum){.kind = number_of(k, nytp_memory_unknown.kind)};
    k->kind = sum.kind;
    k->has_next = false;
    k->variance += sum.variance;
    sum.bytes = k->bytes;
    sum.blocks = sample->count;
    sum.owner = sample->depth;
    hold(k->open, &sum);
    sum.owner = sample->fid;
    sum.line = sample->line;
    nytp_records_add(&k->lines, &sum, add_sum);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_kinds *k = sink;
    if (!is_of_memory(k)) /* nothing is held */
        return;
    const nytp_kind_sum own = give(k, call->depth, call->sub);
    if (k->errors != NULL)
        nytp_calltree_add_return(k->errors, call->sub, call->depth, own.samples, own.variance);
    if (k->arcs != NULL)
        nytp_arc_sums_add(k->arcs, call, &(nytp_own_sum){.samples = own.samples, .variance = own.variance});
}

void nytp_kinds_add_errors(nytp_kinds *k, nytp_calltree *tree, nytp_arc_sums *arcs)
{
    k->errors = tree;
    k->arcs = arcs;
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
    NYTP_EACH_RECORD(const nytp_kind_sum, sum, &k->lines) {
        nytp_kind_sum one = *sum;
        if (fid_of != NULL)
            one.owner = fid_of(context, one.owner);
        g_array_append_val(k->by_line, one);
        one.line = 0;
        g_array_append_val(k->by_file, one);
    }
    add_up(k->by_line);
    add_up(k->by_file);
    k->profiles++;
    nytp_records_clear(&k->lines);
    nytp_records_init(&k->lines, sizeof(nytp_kind_sum), offsetof(nytp_kind_sum, samples));
}

const GArray *nytp_kinds_by_file(const nytp_kinds *k)
{
    return k->by_file;
}

const GArray *nytp_kinds_by_line(const nytp_kinds *k)
{
    return k->by_line;
}

GArray *nytp_kinds_by_sub(nytp_kinds *k, const nytp_profile *profile)
{
    GArray *sums = NYTP_ARRAY(nytp_kind_sum);
    if (k->subs == NULL)
        return sums;
    on_process(k);
    g_autofree uint32_t *numbers = nytp_subs_of_names(profile, k->subs);
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

void nytp_kinds_move_evals(nytp_kinds *k, const nytp_profile *profile)
{
    NYTP_EACH(nytp_kind_sum, sum, k->by_line) {
        const nytp_file *file = nytp_profile_merged_file(profile, sum->owner);
        sum->owner = file != NULL ? file->fid : sum->owner;
    }
    add_up(k->by_line);
}

static int by_owner(const void *a, const void *b)
{
    const nytp_kind_sum *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->owner, y->owner), NYTP_ORDER(x->line, y->line));
}

nytp_kind_sum nytp_kind_sums_of(const GArray *sums, uint32_t owner, uint32_t line)
{
    nytp_kind_sum all = {.owner = owner, .line = line};
    guint at = 0;
    const bool is_found = g_array_binary_search((GArray *)(uintptr_t)sums, &all, by_owner, &at);
    while (is_found && at > 0 && by_owner(&g_array_index(sums, nytp_kind_sum, at - 1), &all) == 0)
        at--;
    for (; is_found && at < sums->len; at++) {
        const nytp_kind_sum *sum = &g_array_index(sums, nytp_kind_sum, at);
        if (by_owner(sum, &all) != 0)
            break;
        add_sum(&all, sum);
    }
    return all;
}

double nytp_kinds_whole_variance(const nytp_kinds *k)
{
    return k->counted == k->profiles || k->variance == 0 ? k->variance : INFINITY;
}
