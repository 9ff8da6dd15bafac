#include "memory/stream.h"

#include "base/str.h"
#include "format/heap.h"
#include "memory/held.h"
#include "memory/kept.h"
#include "memory/sums.h"
#include "model/grow.h"

#include <math.h>

typedef nytp_memory_sample sample;

struct nytp_memory_stream {
    nytp_memory_sums sums;
    double rate_bytes, usual_rate_bytes, ticks_per_s;
    GArray *nodes, *slots; /* nytp_memory_node, sample */
    GArray *unused;        /* uint32_t: slots */
    GArray *names;         /* nytp_str */
    GArray *fids;          /* uint32_t, by the number of the file - 1 */
    GStringChunk *texts;
    nytp_held held;
    nytp_memory_watch watch; /* it may be over */
    double s;                /* of the next record */
    bool has_records;        /* the stream */
    bool has_totals;
    bool is_over;    /* a record made no sense */
    bool is_guessed; /* what subs keep, more than by the samples */
};

nytp_memory_stream *nytp_memory_stream_new(const nytp_memory_view *view, double rate_bytes,
                                           double ticks_per_s)
{
    static const nytp_memory_node root;
    static const nytp_memory_site not_recorded;
    nytp_memory_stream *s = g_new0(nytp_memory_stream, 1);
    s->sums = (nytp_memory_sums){.view = *view,
                                 .sites = NYTP_ARRAY(nytp_memory_site),
                                 .peak_bytes = -INFINITY,
                                 .has_begun = view->begin.name == NULL && view->begin.s <= 0};
    s->rate_bytes = s->usual_rate_bytes = rate_bytes;
    s->ticks_per_s = ticks_per_s;
    s->nodes = NYTP_ARRAY(nytp_memory_node);
    s->slots = NYTP_ARRAY(sample);
    s->unused = NYTP_ARRAY(uint32_t);
    nytp_held_init(&s->held);
    s->names = NYTP_ARRAY(nytp_str);
    s->fids = NYTP_ZEROED_ARRAY(uint32_t);
    s->texts = g_string_chunk_new(4096);
    g_array_append_val(s->nodes, root);
    g_array_append_val(s->sums.sites, not_recorded);
    return s;
}

void nytp_memory_stream_free(nytp_memory_stream *s)
{
    if (s == NULL)
        return;
    g_array_unref(s->sums.sites);
    g_array_unref(s->nodes);
    g_array_unref(s->slots);
    g_array_unref(s->unused);
    nytp_held_clear(&s->held);
    g_array_unref(s->names);
    g_array_unref(s->fids);
    g_string_chunk_free(s->texts);
    g_free(s);
}

void nytp_memory_stream_watch(nytp_memory_stream *s, const nytp_memory_watch *watch)
{
    s->watch = *watch;
}

/* ---- moments */

static void watch_life(const nytp_memory_stream *s, const sample *one, double to_s)
{
    if (s->watch.on_life != NULL)
        s->watch.on_life(s->watch.context, one->site, one->began_s, to_s, &one->amount);
}

/* What is live now stays. */
static void end_watch(nytp_memory_stream *s)
{
    NYTP_EACH(const sample, one, s->slots)
        if (one->amount.samples > 0)
            watch_life(s, one, INFINITY);
    s->watch = (nytp_memory_watch){0};
}

static void note_live(nytp_memory_stream *s)
{
    if (s->watch.on_live != NULL)
        s->watch.on_live(s->watch.context, s->s, &s->sums.now);
    nytp_memory_sums_note_live(&s->sums);
}

static void begin_view(nytp_memory_stream *s)
{
    nytp_memory_sums_begin(&s->sums);
    NYTP_EACH(sample, one, s->slots)
        one->is_new = false;
}

static void take(nytp_memory_stream *s)
{
    if (!s->sums.has_begun)
        return;
    if (s->sums.view.of == NYTP_MEMORY_HELD)
        nytp_held_take(&s->held, s->slots);
    note_live(s);
    nytp_memory_sums_take(&s->sums, s->nodes);
}

/* What comes is at that time, or later. */
static void pass(nytp_memory_stream *s, double now_s)
{
    const nytp_memory_view *view = &s->sums.view;
    if (view->begin.name == NULL && !s->sums.has_begun && now_s > view->begin.s)
        begin_view(s);
    if (view->end.name == NULL && view->end.s < now_s && view->end.s >= s->s && view->of != NYTP_MEMORY_HELD)
        take(s);
    s->s = fmax(now_s, s->s);
}

static bool is_end_of(const nytp_memory_view *view, nytp_str mark)
{
    if (view->end.name != NULL)
        return nytp_str_is(mark, view->end.name);
    return nytp_str_is(mark, NYTP_HEAP_END) && view->end.s == INFINITY &&
           (view->of == NYTP_MEMORY_LIVE || view->of == NYTP_MEMORY_HELD);
}

static bool on_mark(nytp_memory_stream *s, nytp_str name)
{
    const nytp_memory_view *view = &s->sums.view;
    if (view->begin.name != NULL && nytp_str_is(name, view->begin.name))
        begin_view(s);
    if (nytp_str_is(name, NYTP_HEAP_END))
        end_watch(s);
    else if (s->watch.on_mark != NULL)
        s->watch.on_mark(s->watch.context, s->s, name);
    if (!is_end_of(view, name) || (view->of == NYTP_MEMORY_HELD && !s->held.is_whole))
        return false;
    take(s);
    return s->sums.is_taken;
}

/* ---- records: each function returns whether it makes sense */

static void add_live(nytp_memory_stream *s, uint64_t more)
{
    s->sums.now.live += (double)nytp_heap_signed(more);
    s->sums.now.own += (double)nytp_heap_signed(more);
}

static bool add_sample(nytp_memory_stream *s, const nytp_heap_fields *f)
{
    const double size = (double)f->more[0], bytes = size + (double)nytp_heap_signed(f->more[1]);
    if (f->first >= s->sums.sites->len || bytes <= 0)
        return false;
    const sample one = {.amount = nytp_sampled_of(fmax(size, 1), bytes, s->rate_bytes), /* malloc(0) */
                        .began_s = s->s,
                        .site = (uint32_t)f->first,
                        .is_new = s->sums.has_begun};
    add_live(s, f->more[2]);
    nytp_memory_sums_alloc(&s->sums, &one);
    note_live(s);
    if (s->unused->len == 0) {
        g_array_append_val(s->slots, one);
        return true;
    }
    const uint32_t slot = g_array_index(s->unused, uint32_t, s->unused->len - 1);
    g_array_set_size(s->unused, s->unused->len - 1);
    g_array_index(s->slots, sample, slot) = one;
    return true;
}

static bool free_sample(nytp_memory_stream *s, const nytp_heap_fields *f)
{
    const uint32_t slot = (uint32_t)f->first;
    if (f->first >= s->slots->len || g_array_index(s->slots, sample, slot).amount.samples == 0)
        return false;
    sample *one = &g_array_index(s->slots, sample, slot);
    add_live(s, f->more[0]);
    note_live(s);
    watch_life(s, one, s->s);
    nytp_memory_sums_free(&s->sums, one, s->s - one->began_s);
    one->amount.samples = 0;
    nytp_held_set(&s->held, slot, 0);
    g_array_append_val(s->unused, slot);
    return true;
}

/* The site of what was not recorded. The first of these were counted at the begin. */
static bool add_others(nytp_memory_stream *s, const nytp_heap_fields *f)
{
    double n[6];
    for (int i = 0; i < 6; i++)
        n[i] = (double)nytp_heap_signed(f->more[i]);
    const nytp_sampled live = {.bytes = n[0], .blocks = n[1], .variance = n[2], .samples = (int64_t)n[3]},
                       all = {.bytes = n[4], .variance = n[5]};
    s->sums.now.own -= s->has_totals ? live.bytes : 0;
    if (s->watch.on_life != NULL)
        s->watch.on_life(s->watch.context, 0, s->s, INFINITY, &live);
    nytp_memory_sums_others(&s->sums, &live, &all);
    return true;
}

static bool begin_stream(nytp_memory_stream *s, const nytp_heap_fields *f)
{
    if (s->has_records)
        return false;
    s->sums.now.live = s->sums.begin.live = (double)nytp_heap_signed(f->first);
    s->has_records = true;
    note_live(s);
    return true;
}

/* Nodes and sites are alike: where they belong, and three numbers, the first that of a name. */
static bool is_place(const nytp_memory_stream *s, const nytp_heap_fields *f)
{
    return f->first < s->nodes->len && f->more[0] > 0 && f->more[0] <= s->names->len &&
           f->more[1] < UINT32_MAX && f->more[2] < UINT32_MAX;
}

static bool add_node(const nytp_memory_stream *s, const nytp_heap_fields *f)
{
    const nytp_memory_node node = {(uint32_t)f->first, (uint32_t)f->more[0], (uint32_t)f->more[1],
                                   (uint32_t)f->more[2]};
    if (!is_place(s, f))
        return false;
    g_array_append_val(s->nodes, node);
    return true;
}

static bool add_site(const nytp_memory_stream *s, const nytp_heap_fields *f)
{
    const nytp_memory_site site = {.node = (uint32_t)f->first,
                                   .kind = (uint32_t)f->more[0],
                                   .file = (uint32_t)f->more[1],
                                   .line = (uint32_t)f->more[2]};
    if (!is_place(s, f))
        return false;
    g_array_append_val(s->sums.sites, site);
    return true;
}

static bool add_name(const nytp_memory_stream *s, nytp_str name)
{
    name.bytes = g_string_chunk_insert_len(s->texts, name.bytes, (gssize)name.length);
    g_array_append_val(s->names, name);
    return true;
}

static bool set_totals(nytp_memory_stream *s, const nytp_heap_fields *f)
{
    add_live(s, f->more[0]);
    s->sums.now.given = (double)f->first;
    s->has_totals = true;
    note_live(s);
    return true;
}

static bool set_held(nytp_memory_stream *s, const nytp_heap_fields *f)
{
    if (f->first >= s->slots->len || f->more[0] > s->held.holders->len)
        return false;
    nytp_held_set(&s->held, (uint32_t)f->first, (uint32_t)f->more[0]);
    return true;
}

static bool apply(nytp_memory_stream *s, const nytp_heap_fields *f)
{
    switch (f->kind) {
    case NYTP_HEAP_ALLOC: return add_sample(s, f);
    case NYTP_HEAP_FREE: return free_sample(s, f);
    case NYTP_HEAP_OTHERS: return add_others(s, f);
    case NYTP_HEAP_TIME: pass(s, s->s + (double)f->first * NYTP_HEAP_TIME_NS / 1e9); return true;
    case NYTP_HEAP_NODE: return add_node(s, f);
    case NYTP_HEAP_SITE: return add_site(s, f);
    case NYTP_HEAP_NAME: return add_name(s, f->text);
    case NYTP_HEAP_TOTALS: return set_totals(s, f);
    case NYTP_HEAP_BEGIN: return begin_stream(s, f);
    case NYTP_HEAP_WALK: nytp_held_begin_walk(&s->held, f->first != 0); return true;
    case NYTP_HEAP_HOLDER:
        return f->more[0] <= s->names->len && nytp_held_add_holder(&s->held, f->first, (uint32_t)f->more[0]);
    case NYTP_HEAP_HELD: return set_held(s, f);
    case NYTP_HEAP_SPARSER:
        s->rate_bytes = ldexp(s->usual_rate_bytes, (int)MIN(f->first, NYTP_HEAP_SPARSEST));
        return f->first <= NYTP_HEAP_SPARSEST;
    }
    return false;
}

static void note_file(nytp_memory_stream *s, const nytp_mark *mark)
{
    enum { MOST = 1 << 24 };
    const double file = mark->heap_file.file;
    if (file < 1 || file > MOST)
        return;
    if (s->fids->len < file)
        g_array_set_size(s->fids, (guint)file);
    g_array_index(s->fids, uint32_t, (guint)file - 1) = (uint32_t)mark->heap_file.fid;
}

static nytp_str without_blank(nytp_str words)
{
    const size_t blank = words.length > 0 && words.bytes[0] == ' ';
    return (nytp_str){words.bytes + blank, words.length - blank, words.utf8};
}

bool nytp_memory_stream_add(nytp_memory_stream *s, const nytp_mark *mark)
{
    if (mark->kind == NYTP_MARK_HEAP_FILE)
        note_file(s, mark);
    else if (s->is_over)
        return false;
    if (mark->kind == NYTP_MARK_HEAP_RECORDS) {
        pass(s, mark->heap_records.ticks / s->ticks_per_s);
        nytp_str left = without_blank(mark->words);
        nytp_heap_fields f;
        while (left.length > 0 && !s->is_over)
            s->is_over = !nytp_heap_take(&left, &f) || !apply(s, &f);
    } else if (mark->kind == NYTP_MARK_HEAP_MARK) {
        pass(s, mark->heap_mark.ticks / s->ticks_per_s);
        return on_mark(s, without_blank(mark->words));
    }
    return false;
}

bool nytp_memory_stream_end(nytp_memory_stream *s, double end_s)
{
    pass(s, end_s);
    end_watch(s);
    if (!s->sums.is_taken && s->sums.view.end.name == NULL && s->sums.view.of != NYTP_MEMORY_HELD)
        take(s);
    if (s->sums.is_taken && s->sums.view.of == NYTP_MEMORY_HELD) {
        GArray *sites = nytp_held_show(&s->held, s->sums.sites, s->nodes, s->names, s->texts);
        g_array_unref(s->sums.sites);
        s->sums.sites = sites;
    }
    return s->has_records && s->sums.is_taken;
}

/* Samples get the sum that was counted first, so that what is known of values changes no others. If values
 * may be of subs that have none here, errors are not less by what all have together. */
void nytp_memory_stream_keep(nytp_memory_stream *s, const nytp_kept *kept, const nytp_memory_named *named)
{
    const nytp_calibration all = nytp_memory_stream_calibration(s);
    NYTP_EACH(nytp_memory_site, site, s->sums.sites) {
        const double bytes = nytp_calibrated(&all, site->taken.bytes, site->taken.variance);
        site->taken.blocks *= site->taken.bytes > 0 ? bytes / site->taken.bytes : 0;
        site->taken.bytes = bytes;
    }
    nytp_kept_show(kept, named, s->sums.sites, s->nodes, s->names, s->fids);
    s->is_guessed = nytp_memory_stream_calibration(s).variance > 2 * all.variance;
}

/* ---- what is asked */

const GArray *nytp_memory_stream_nodes(const nytp_memory_stream *s)
{
    return s->nodes;
}

const GArray *nytp_memory_stream_sites(const nytp_memory_stream *s)
{
    return s->sums.sites;
}

nytp_str nytp_memory_stream_name(const nytp_memory_stream *s, uint32_t name)
{
    return g_array_index(s->names, nytp_str, name - 1);
}

uint32_t nytp_memory_stream_fid(const nytp_memory_stream *s, uint32_t file)
{
    return file > 0 && file <= s->fids->len ? g_array_index(s->fids, uint32_t, file - 1) : 0;
}

nytp_calibration nytp_memory_stream_calibration(const nytp_memory_stream *s)
{
    nytp_calibration all = {.truth = s->sums.truth,
                            .is_counted = s->sums.view.of != NYTP_MEMORY_TEMPORARY && !s->is_guessed};
    for (guint i = 0; i < s->sums.sites->len; i++) {
        all.sum += nytp_memory_site_at(&s->sums, i)->taken.bytes;
        all.variance += nytp_memory_site_at(&s->sums, i)->taken.variance;
    }
    return all;
}

double nytp_memory_stream_peak_bytes(const nytp_memory_stream *s)
{
    const nytp_sampled *other = &nytp_memory_site_at(&s->sums, 0)->taken;
    const nytp_calibration all = nytp_memory_stream_calibration(s);
    return s->sums.truth_peak_bytes -
           (s->sums.view.of == NYTP_MEMORY_PEAK ? nytp_calibrated(&all, other->bytes, other->variance) : 0);
}
