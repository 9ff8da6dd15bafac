#include "memory/history.h"

#include "model/grow.h"

#include <math.h>
#include <stddef.h>

enum { MOST_RECORDS = 1 << 16, MOST_SLICES = 1 << 20 };

static const double first_width_s = 0x1p-10, most_width_s = 0x1p30;

/* The process of a stream. */
typedef struct follower {
    nytp_memory_history *history;
    const nytp_memory_stream *stream;
    const nytp_memory_named *named;
    double begin_s;
    uint32_t process;
    GArray *places; /* uint32_t, by site: its place + 1; 0: not known yet */
} follower;

static void follower_free(void *follower_)
{
    g_array_unref(((follower *)follower_)->places);
    g_free(follower_);
}

nytp_memory_history *nytp_memory_history_new(bool has_lives)
{
    static const nytp_str runtime = {"main::RUNTIME", sizeof "main::RUNTIME" - 1, false},
                          none = {"", 0, false};
    nytp_memory_history *h = g_new0(nytp_memory_history, 1);
    h->width_s = first_width_s;
    h->has_lives = has_lives;
    h->names = nytp_names_new();
    nytp_pairs_init(&h->nodes);
    nytp_records_init(&h->places, sizeof(nytp_memory_place), sizeof(nytp_memory_place));
    nytp_records_init(&h->lives, sizeof(nytp_memory_life), offsetof(nytp_memory_life, amount));
    nytp_records_init(&h->totals, sizeof(nytp_memory_total), offsetof(nytp_memory_total, counted));
    nytp_records_init(&h->peaks, sizeof(nytp_memory_part), offsetof(nytp_memory_part, amount));
    nytp_records_init(&h->holders, sizeof(nytp_memory_part), offsetof(nytp_memory_part, amount));
    nytp_records_init(&h->moments, sizeof(nytp_memory_moment_name), sizeof(uint32_t));
    h->ends_s = NYTP_ARRAY(double);
    h->followed = g_ptr_array_new_with_free_func(follower_free);
    const uint32_t empty = nytp_names_intern(h->names, &none, NULL);
    const nytp_memory_place not_recorded = {.kind = empty, .file = empty};
    nytp_pairs_intern(&h->nodes, (nytp_pair){0, nytp_names_intern(h->names, &runtime, NULL)});
    nytp_records_number(&h->places, &not_recorded, NULL);
    return h;
}

void nytp_memory_history_free(nytp_memory_history *h)
{
    if (h == NULL)
        return;
    nytp_names_free(h->names);
    nytp_pairs_clear(&h->nodes);
    nytp_records_clear(&h->places);
    nytp_records_clear(&h->lives);
    nytp_records_clear(&h->totals);
    nytp_records_clear(&h->peaks);
    nytp_records_clear(&h->holders);
    nytp_records_clear(&h->moments);
    g_array_unref(h->ends_s);
    g_ptr_array_unref(h->followed);
    g_free(h);
}

/* ---- places */

static const nytp_memory_node *node_at(const follower *f, uint32_t number)
{
    return &g_array_index(nytp_memory_stream_nodes(f->stream), nytp_memory_node, number);
}

static uint32_t name_of(const follower *f, uint32_t node)
{
    const nytp_str name = nytp_memory_stream_name(f->stream, node_at(f, node)->name);
    return nytp_names_intern(f->history->names, &name, NULL);
}

/* Visits the frames from the innermost one on, as a stack may be deep. */
static uint32_t node_of(const follower *f, uint32_t number)
{
    g_autoptr(GArray) frames = NYTP_ARRAY(uint32_t);
    uint32_t found = 0;
    for (; number != 0; number = node_at(f, number)->parent)
        g_array_append_val(frames, number);
    for (guint i = frames->len; i-- > 0;)
        found = nytp_pairs_intern(&f->history->nodes,
                                  (nytp_pair){found, name_of(f, g_array_index(frames, uint32_t, i))});
    return found;
}

static uint32_t file_of(const follower *f, uint32_t file)
{
    const uint32_t fid = nytp_memory_stream_fid(f->stream, file);
    const nytp_chunk *chunk = g_hash_table_lookup(f->named->files, GUINT_TO_POINTER(fid));
    const nytp_str none = {"", 0, false};
    return nytp_names_intern(f->history->names, chunk != NULL ? &chunk->new_fid.name : &none, NULL);
}

/* Returns the place of a site, at that node. */
static uint32_t place_at(const follower *f, const nytp_memory_site *site, uint32_t node)
{
    const nytp_str kind = nytp_memory_stream_name(f->stream, site->kind);
    nytp_memory_place place = {.node = node,
                               .kind = nytp_names_intern(f->history->names, &kind, NULL),
                               .file = file_of(f, site->file),
                               .line = site->line};
    return nytp_records_number(&f->history->places, &place, NULL);
}

static const nytp_memory_site *site_at(const nytp_memory_stream *stream, uint32_t number)
{
    return &g_array_index(nytp_memory_stream_sites(stream), nytp_memory_site, number);
}

/* ---- slices */

/* What is at an end of a slice is in the one before it. Times that make no sense are in the last one. */
static int32_t slice_of(const nytp_memory_history *h, double s)
{
    return (int32_t)fmax(ceil(fmin(s / h->width_s, MOST_SLICES)) - 1, 0);
}

void nytp_memory_join_lives(void *into, const void *record)
{
    nytp_sampled_add(&((nytp_memory_life *)into)->amount, &((const nytp_memory_life *)record)->amount, 1);
}

static void join_totals(void *into, const void *record)
{
    nytp_memory_total *total = into;
    const nytp_memory_total *later = record;
    total->counted = later->counted;
    total->most_bytes = fmax(total->most_bytes, later->most_bytes);
}

void nytp_memory_join_parts(void *into, const void *record)
{
    nytp_sampled_add(&((nytp_memory_part *)into)->amount, &((const nytp_memory_part *)record)->amount, 1);
}

static void halve_life(void *unused, void *record)
{
    nytp_memory_life *life = record;
    (void)unused;
    life->came /= 2;
    if (life->went != NYTP_MEMORY_STAYS)
        life->went /= 2;
}

static void halve_total(void *unused, void *record)
{
    (void)unused;
    ((nytp_memory_total *)record)->slice /= 2;
}

void nytp_memory_history_halve(nytp_memory_history *h)
{
    h->width_s *= 2;
    nytp_records_change(&h->lives, halve_life, NULL, nytp_memory_join_lives);
    nytp_records_change(&h->totals, halve_total, NULL, join_totals);
}

/* Before a record of that time is added. */
static void make_room(nytp_memory_history *h, double s)
{
    while (h->width_s < most_width_s && (h->lives.count >= MOST_RECORDS || h->totals.count >= MOST_RECORDS ||
                                         s / h->width_s > MOST_SLICES))
        nytp_memory_history_halve(h);
}

/* ---- what streams say */

static uint32_t place_of(const follower *f, uint32_t site)
{
    if (f->places->len <= site)
        g_array_set_size(f->places, site + 1);
    uint32_t *place = &g_array_index(f->places, uint32_t, site);
    const nytp_memory_site *of = site_at(f->stream, site);
    if (*place == 0)
        *place = 1 + (site > 0 ? place_at(f, of, node_of(f, of->node)) : 0);
    return *place - 1;
}

static void on_life(void *context, uint32_t site, double from_s, double to_s, const nytp_sampled *amount)
{
    const follower *f = context;
    nytp_memory_history *h = f->history;
    make_room(h, f->begin_s + from_s);
    const nytp_memory_life life = {.place = place_of(f, site),
                                   .process = f->process,
                                   .came = slice_of(h, f->begin_s + from_s),
                                   .went =
                                       to_s < INFINITY ? slice_of(h, f->begin_s + to_s) : NYTP_MEMORY_STAYS,
                                   .amount = *amount};
    nytp_records_add(&h->lives, &life, nytp_memory_join_lives);
}

static void on_live(void *context, double s, const nytp_memory_counted *counted)
{
    const follower *f = context;
    nytp_memory_history *h = f->history;
    make_room(h, f->begin_s + s);
    const nytp_memory_total total = {.process = f->process,
                                     .slice = slice_of(h, f->begin_s + s),
                                     .counted = *counted,
                                     .most_bytes = counted->own};
    nytp_records_add(&h->totals, &total, join_totals);
}

static void join_moments(void *into, const void *record)
{
    *(nytp_memory_moment_name *)into = *(const nytp_memory_moment_name *)record;
}

static void on_mark(void *context, double s, nytp_str name)
{
    enum { MOST_MOMENTS = 100 };
    const follower *f = context;
    nytp_memory_history *h = f->history;
    if (h->moments.count >= MOST_MOMENTS)
        return;
    const nytp_memory_moment_name moment = {nytp_names_intern(h->names, &name, NULL), f->begin_s + s};
    nytp_records_add(&h->moments, &moment, join_moments);
}

void nytp_memory_history_begin(const nytp_memory_history *h)
{
    const double unknown = INFINITY;
    g_array_append_val(h->ends_s, unknown);
}

void nytp_memory_history_follow(nytp_memory_history *h, nytp_memory_stream *stream,
                                const nytp_memory_named *named, uint32_t process, double begin_s)
{
    follower *f = g_new(follower, 1);
    *f = (follower){h, stream, named, begin_s, h->first_process + process, NYTP_ZEROED_ARRAY(uint32_t)};
    g_ptr_array_add(h->followed, f);
    nytp_memory_stream_watch(stream,
                             &(nytp_memory_watch){f, h->has_lives ? on_life : NULL, on_live, on_mark});
}

void nytp_memory_history_end(nytp_memory_history *h, uint32_t process, double end_s)
{
    make_room(h, end_s);
    g_array_index(h->ends_s, double, h->first_process + process) = end_s;
}

/* The nodes of a view of holders are ways to values. */
void nytp_memory_history_add(nytp_memory_history *h, nytp_records *parts, uint32_t process,
                             const nytp_memory_stream *stream, const nytp_memory_named *named)
{
    const follower f = {h, stream, named, 0, h->first_process + process, NULL};
    const nytp_calibration all = nytp_memory_stream_calibration(stream);
    for (uint32_t n = 1; n < nytp_memory_stream_sites(stream)->len; n++) {
        const nytp_memory_site *site = site_at(stream, n);
        const double bytes = nytp_calibrated(&all, site->taken.bytes, site->taken.variance);
        nytp_memory_part part = {.process = f.process, .amount = site->taken};
        if (site->taken.samples <= 0 || bytes <= 0)
            continue;
        if (parts == &h->holders)
            part.holder = name_of(&f, site->node);
        part.place = place_at(&f, site, parts == &h->holders ? 0 : node_of(&f, site->node));
        part.amount.blocks *= bytes / site->taken.bytes;
        part.amount.bytes = bytes;
        nytp_records_add(parts, &part, nytp_memory_join_parts);
    }
}

/* ---- what is asked */

int32_t nytp_memory_history_slices(const nytp_memory_history *h)
{
    double end_s = 0;
    int32_t last = 0;
    NYTP_EACH_RECORD(const nytp_memory_total, total, &h->totals)
        last = MAX(last, total->slice);
    NYTP_EACH(const double, s, h->ends_s)
        end_s = *s < INFINITY ? fmax(end_s, *s) : end_s;
    return MAX(last, slice_of(h, end_s)) + 1;
}

/* Adds what a process had at most, from a slice up to the one before end. */
static void add_most(double *most, int32_t from, int32_t end, double bytes)
{
    for (int32_t slice = from; slice < end; slice++)
        most[slice] += bytes;
}

nytp_stretch nytp_memory_history_peak(const nytp_memory_history *h)
{
    const int32_t count = nytp_memory_history_slices(h);
    g_autofree double *most = g_new0(double, count);
    const nytp_memory_total *before = NULL;
    int32_t peak = 0;
    NYTP_EACH_RECORD(const nytp_memory_total, total, &h->totals) {
        const bool goes_on = before != NULL && before->process == total->process;
        if (goes_on)
            add_most(most, before->slice + 1, total->slice, before->counted.own);
        most[total->slice] += fmax(total->most_bytes, goes_on ? before->counted.own : 0);
        const bool is_last = total + 1 == total_end || total[1].process != total->process;
        const double end_s = g_array_index(h->ends_s, double, total->process);
        if (is_last && end_s < INFINITY)
            add_most(most, total->slice + 1, slice_of(h, end_s) + 1, total->counted.own);
        before = total;
    }
    for (int32_t slice = 1; slice < count; slice++)
        if (most[slice] > most[peak])
            peak = slice;
    return (nytp_stretch){
        {NYTP_SINCE_BEGIN, peak * h->width_s}, {NYTP_SINCE_BEGIN, (peak + 1) * h->width_s}, ""};
}
