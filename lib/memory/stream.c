#include "memory/stream.h"

#include "base/str.h"
#include "format/heap.h"
#include "memory/held.h"

#include <math.h>

/* A sample that is live; a slot that is not in use has an amount of no samples. */
typedef struct sample {
    nytp_sampled amount;
    double began_s;
    uint32_t site;
    bool is_new; /* since the begin of the view */
} sample;

struct nytp_memory_stream {
    nytp_memory_view view;
    double rate_bytes, usual_rate_bytes, ticks_per_s;
    GArray *nodes, *sites, *slots; /* nytp_memory_node, nytp_memory_site, sample */
    GArray *unused;                /* uint32_t: slots */
    GArray *names;                 /* nytp_str */
    GArray *fids;                  /* uint32_t, by the number of the file - 1 */
    GStringChunk *texts;
    nytp_held held;
    nytp_memory_watch watch;               /* it may be over */
    double s;                              /* of the next record */
    double live_bytes, peak_bytes;         /* of the process */
    double other_bytes;                    /* of the former: live when the stream began, or not recorded */
    double given_bytes, given_begin_bytes; /* since the stream's begin, and up to the view's */
    double live_begin_bytes;
    double truth, truth_peak_bytes; /* what was taken */
    uint32_t peak_number;
    bool has_begun;   /* the view */
    bool has_records; /* the stream */
    bool has_totals;
    bool is_taken;
    bool is_over; /* a record made no sense */
};

nytp_memory_stream *nytp_memory_stream_new(const nytp_memory_view *view, double rate_bytes,
                                           double ticks_per_s)
{
    static const nytp_memory_node root;
    static const nytp_memory_site not_recorded;
    nytp_memory_stream *s = g_new0(nytp_memory_stream, 1);
    s->view = *view;
    s->rate_bytes = s->usual_rate_bytes = rate_bytes;
    s->ticks_per_s = ticks_per_s;
    s->nodes = g_array_new(FALSE, FALSE, sizeof(nytp_memory_node));
    s->sites = g_array_new(FALSE, TRUE, sizeof(nytp_memory_site));
    s->slots = g_array_new(FALSE, TRUE, sizeof(sample));
    s->unused = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    nytp_held_init(&s->held);
    s->names = g_array_new(FALSE, FALSE, sizeof(nytp_str));
    s->fids = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    s->texts = g_string_chunk_new(4096);
    s->peak_bytes = -INFINITY;
    s->has_begun = view->begin.name == NULL && view->begin.s <= 0;
    g_array_append_val(s->nodes, root);
    g_array_append_val(s->sites, not_recorded);
    return s;
}

void nytp_memory_stream_free(nytp_memory_stream *s)
{
    if (s == NULL)
        return;
    g_array_unref(s->nodes);
    g_array_unref(s->sites);
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

/* ---- amounts */

static nytp_memory_site *site_at(const nytp_memory_stream *s, guint number)
{
    return &g_array_index(s->sites, nytp_memory_site, number);
}

/* A site keeps what it had at the peak when that changes. */
static nytp_memory_site *change(nytp_memory_stream *s, uint32_t number)
{
    nytp_memory_site *site = site_at(s, number);
    if (site->peak_number != s->peak_number)
        site->peak = site->now;
    site->peak_number = s->peak_number;
    return site;
}

static const nytp_sampled *amount_to_take(const nytp_memory_stream *s, const nytp_memory_site *site)
{
    const bool is_peak = s->view.of == NYTP_MEMORY_PEAK && site->peak_number == s->peak_number;
    return is_peak ? &site->peak : &site->now;
}

static void note_live(nytp_memory_stream *s)
{
    const nytp_memory_counted counted = {s->live_bytes, s->live_bytes - s->other_bytes, s->given_bytes};
    if (s->watch.on_live != NULL)
        s->watch.on_live(s->watch.context, s->s, &counted);
    if (!s->has_begun || s->live_bytes <= s->peak_bytes)
        return;
    s->peak_bytes = s->live_bytes;
    s->peak_number++;
}

/* Whether the view has what was live when it began. */
static bool has_what_was(const nytp_memory_stream *s)
{
    return s->view.of == NYTP_MEMORY_LIVE || s->view.of == NYTP_MEMORY_PEAK || s->view.of == NYTP_MEMORY_HELD;
}

static void on_alloc(nytp_memory_stream *s, const sample *one)
{
    const bool counts = one->is_new ? s->view.of != NYTP_MEMORY_TEMPORARY : has_what_was(s);
    if (counts)
        nytp_sampled_add(&change(s, one->site)->now, &one->amount, 1);
}

static void watch_life(const nytp_memory_stream *s, const sample *one, double to_s)
{
    if (s->watch.on_life != NULL)
        s->watch.on_life(s->watch.context, one->site, one->began_s, to_s, &one->amount);
}

/* What is live now stays. */
static void end_watch(nytp_memory_stream *s)
{
    for (guint i = 0; i < s->slots->len; i++)
        if (g_array_index(s->slots, sample, i).amount.samples > 0)
            watch_life(s, &g_array_index(s->slots, sample, i), INFINITY);
    s->watch = (nytp_memory_watch){0};
}

static void on_free(nytp_memory_stream *s, const sample *one)
{
    const double short_s = 1e-3;
    nytp_sampled amount = one->amount;
    const bool went = s->view.of == NYTP_MEMORY_GROWN && !one->is_new;
    switch (s->view.of) {
    case NYTP_MEMORY_ALLOC: return;
    case NYTP_MEMORY_TEMPORARY:
        if (one->is_new && s->s - one->began_s <= short_s)
            nytp_sampled_add(&change(s, one->site)->now, &amount, 1);
        return;
    case NYTP_MEMORY_GROWN:
        if (!s->has_begun)
            return;
        break;
    case NYTP_MEMORY_LIVE:
    case NYTP_MEMORY_HELD:
    case NYTP_MEMORY_PEAK: break;
    }
    if (went) { /* one more sample tells of the difference */
        amount.variance = -amount.variance;
        amount.samples = -amount.samples;
    }
    nytp_sampled_add(&change(s, one->site)->now, &amount, -1);
}

/* ---- the view */

static void begin_view(nytp_memory_stream *s)
{
    s->has_begun = true;
    s->is_taken = false;
    s->live_begin_bytes = s->live_bytes;
    s->given_begin_bytes = s->given_bytes;
    for (guint i = 0; i < s->slots->len; i++)
        g_array_index(s->slots, sample, i).is_new = false;
    if (s->view.of == NYTP_MEMORY_PEAK) {
        s->peak_bytes = s->live_bytes;
        s->peak_number++;
        return;
    }
    for (guint i = 0; i < s->sites->len && !has_what_was(s); i++)
        site_at(s, i)->now = (nytp_sampled){0};
}

/* Who holds what now. */
static void take_held(nytp_memory_stream *s)
{
    nytp_held_take(&s->held);
    for (guint slot = 0; slot < s->slots->len; slot++) {
        const sample *one = &g_array_index(s->slots, sample, slot);
        if (one->amount.samples > 0)
            nytp_held_take_sample(&s->held, slot, one->site, &one->amount);
    }
}

/* Everything that was asked for is what it is now. */
static void take(nytp_memory_stream *s)
{
    if (!s->has_begun)
        return;
    if (s->view.of == NYTP_MEMORY_HELD)
        take_held(s);
    note_live(s);
    for (guint i = 0; i < s->sites->len; i++)
        site_at(s, i)->taken = *amount_to_take(s, site_at(s, i));
    s->truth = s->view.of == NYTP_MEMORY_PEAK    ? s->peak_bytes
               : s->view.of == NYTP_MEMORY_ALLOC ? s->given_bytes - s->given_begin_bytes
               : s->view.of == NYTP_MEMORY_GROWN ? s->live_bytes - s->live_begin_bytes
                                                 : s->live_bytes;
    s->truth_peak_bytes = s->peak_bytes;
    s->is_taken = true;
}

/* What comes is at that time, or later. */
static void pass(nytp_memory_stream *s, double now_s)
{
    const nytp_memory_moment *begin = &s->view.begin, *end = &s->view.end;
    if (begin->name == NULL && !s->has_begun && now_s > begin->s)
        begin_view(s);
    if (end->name == NULL && end->s < now_s && end->s >= s->s && s->view.of != NYTP_MEMORY_HELD)
        take(s);
    s->s = fmax(now_s, s->s);
}

static bool on_mark(nytp_memory_stream *s, nytp_str name)
{
    const bool is_end = nytp_str_is(name, NYTP_HEAP_END) && s->view.end.name == NULL &&
                        s->view.end.s == INFINITY &&
                        (s->view.of == NYTP_MEMORY_LIVE || s->view.of == NYTP_MEMORY_HELD);
    if (s->view.begin.name != NULL && nytp_str_is(name, s->view.begin.name))
        begin_view(s);
    if (nytp_str_is(name, NYTP_HEAP_END))
        end_watch(s);
    else if (s->watch.on_mark != NULL)
        s->watch.on_mark(s->watch.context, s->s, name);
    const bool is_moment = (is_end || (s->view.end.name != NULL && nytp_str_is(name, s->view.end.name))) &&
                           (s->held.is_whole || s->view.of != NYTP_MEMORY_HELD);
    if (is_moment)
        take(s);
    return is_moment && s->is_taken;
}

/* ---- records */

typedef struct cursor {
    const char *at, *end;
    bool is_bad;
} cursor;

static uint64_t number(cursor *c)
{
    enum { MORE = 1 << NYTP_HEAP_BITS, MOST_BITS = 64 };
    uint64_t value = 0;
    unsigned bits = 0;
    for (; c->at < c->end && bits < MOST_BITS; bits += NYTP_HEAP_BITS) {
        const unsigned digit = (unsigned)(unsigned char)*c->at++ - NYTP_HEAP_ZERO;
        if (digit >= 2 * MORE)
            break;
        value |= (uint64_t)(digit & (MORE - 1)) << bits;
        if (digit < MORE)
            return value;
    }
    c->is_bad = true;
    return 0;
}

static int64_t signed_number(cursor *c)
{
    return nytp_heap_signed(number(c));
}

/* Returns a number below that bound. */
static uint32_t below(cursor *c, uint64_t bound)
{
    const uint64_t value = number(c);
    c->is_bad |= value >= bound;
    return c->is_bad ? 0 : (uint32_t)value;
}

static void read_live(nytp_memory_stream *s, cursor *c)
{
    s->live_bytes += (double)signed_number(c);
}

static void read_alloc(nytp_memory_stream *s, cursor *c, uint64_t site)
{
    const double size = (double)number(c), bytes = size + (double)signed_number(c);
    read_live(s, c);
    c->is_bad |= site >= s->sites->len || bytes <= 0;
    if (c->is_bad)
        return;
    const sample one = {.amount = nytp_sampled_of(fmax(size, 1), bytes, s->rate_bytes), /* malloc(0) */
                        .began_s = s->s,
                        .site = (uint32_t)site,
                        .is_new = s->has_begun};
    on_alloc(s, &one);
    note_live(s);
    if (s->unused->len == 0) {
        g_array_append_val(s->slots, one);
        return;
    }
    const uint32_t slot = g_array_index(s->unused, uint32_t, s->unused->len - 1);
    g_array_set_size(s->unused, s->unused->len - 1);
    g_array_index(s->slots, sample, slot) = one;
}

static void read_free(nytp_memory_stream *s, cursor *c, uint64_t slot)
{
    c->is_bad |= slot >= s->slots->len || g_array_index(s->slots, sample, slot).amount.samples == 0;
    read_live(s, c);
    if (c->is_bad)
        return;
    const uint32_t unused = (uint32_t)slot;
    sample *one = &g_array_index(s->slots, sample, slot);
    note_live(s);
    watch_life(s, one, s->s);
    on_free(s, one);
    one->amount.samples = 0;
    nytp_held_set(&s->held, unused, 0);
    g_array_append_val(s->unused, unused);
}

/* The site of what was not recorded. */
static void read_others(nytp_memory_stream *s, cursor *c)
{
    nytp_sampled live, all = {0};
    live.bytes = (double)signed_number(c);
    live.blocks = (double)signed_number(c);
    live.variance = (double)signed_number(c);
    live.samples = signed_number(c);
    all.bytes = (double)signed_number(c);
    all.variance = (double)signed_number(c);
    s->other_bytes += s->has_totals ? live.bytes : 0; /* the first ones were counted at the begin */
    if (!c->is_bad && s->watch.on_life != NULL)
        s->watch.on_life(s->watch.context, 0, s->s, INFINITY, &live);
    if (c->is_bad || s->view.of == NYTP_MEMORY_TEMPORARY)
        return;
    if (s->view.of == NYTP_MEMORY_GROWN)
        live.variance = fabs(live.variance);
    if (s->has_begun || s->view.of == NYTP_MEMORY_LIVE || s->view.of == NYTP_MEMORY_PEAK)
        nytp_sampled_add(&change(s, 0)->now, s->view.of == NYTP_MEMORY_ALLOC ? &all : &live, 1);
}

static void read_begin(nytp_memory_stream *s, cursor *c, uint64_t live)
{
    c->is_bad |= s->has_records;
    s->live_bytes = s->live_begin_bytes = s->other_bytes = (double)nytp_heap_signed(live);
    s->has_records = true;
    note_live(s);
}

/* Reads what a node and a site have alike: where they belong, and three numbers, the first that of a name. */
static bool read_place(const nytp_memory_stream *s, cursor *c, uint64_t node, uint32_t numbers[3])
{
    c->is_bad |= node >= s->nodes->len;
    numbers[0] = below(c, (uint64_t)s->names->len + 1);
    numbers[1] = below(c, UINT32_MAX);
    numbers[2] = below(c, UINT32_MAX);
    c->is_bad |= numbers[0] == 0;
    return !c->is_bad;
}

static void read_node(const nytp_memory_stream *s, cursor *c, uint64_t parent)
{
    uint32_t n[3];
    if (!read_place(s, c, parent, n))
        return;
    const nytp_memory_node node = {(uint32_t)parent, n[0], n[1], n[2]};
    g_array_append_val(s->nodes, node);
}

static void read_site(const nytp_memory_stream *s, cursor *c, uint64_t node)
{
    uint32_t n[3];
    if (!read_place(s, c, node, n))
        return;
    const nytp_memory_site site = {.node = (uint32_t)node, .kind = n[0], .file = n[1], .line = n[2]};
    g_array_append_val(s->sites, site);
}

static void read_name(nytp_memory_stream *s, cursor *c, uint64_t first)
{
    nytp_str name = {.length = (size_t)(first >> 1), .utf8 = (first & 1) != 0};
    c->is_bad |= name.length > (size_t)(c->end - c->at);
    if (c->is_bad)
        return;
    name.bytes = g_string_chunk_insert_len(s->texts, c->at, (gssize)name.length);
    g_array_append_val(s->names, name);
    c->at += name.length;
}

static void read_totals(nytp_memory_stream *s, cursor *c, uint64_t given)
{
    read_live(s, c);
    s->given_bytes = (double)given;
    s->has_totals = true;
    if (!c->is_bad)
        note_live(s);
}

static void read_holder(nytp_memory_stream *s, cursor *c, uint64_t parent)
{
    const uint32_t step = below(c, (uint64_t)s->names->len + 1);
    c->is_bad = c->is_bad || !nytp_held_add_holder(&s->held, parent, step);
}

static void read_held(nytp_memory_stream *s, cursor *c, uint64_t slot)
{
    const uint32_t by = below(c, (uint64_t)s->held.holders->len + 1);
    c->is_bad |= slot >= s->slots->len;
    if (!c->is_bad)
        nytp_held_set(&s->held, (uint32_t)slot, by);
}

static void read_sparser(nytp_memory_stream *s, cursor *c, uint64_t exponent)
{
    c->is_bad = exponent > NYTP_HEAP_SPARSEST;
    s->rate_bytes = ldexp(s->usual_rate_bytes, c->is_bad ? 0 : (int)exponent);
}

static void read_record(nytp_memory_stream *s, cursor *c)
{
    const uint64_t tagged = number(c), first = tagged >> NYTP_HEAP_RECORD_BITS;
    const unsigned kind = (unsigned)tagged & ((1U << NYTP_HEAP_RECORD_BITS) - 1);
    if (c->is_bad)
        return;
    switch ((nytp_heap_record)kind) {
    case NYTP_HEAP_ALLOC: read_alloc(s, c, first); return;
    case NYTP_HEAP_FREE: read_free(s, c, first); return;
    case NYTP_HEAP_OTHERS: read_others(s, c); return;
    case NYTP_HEAP_TIME: pass(s, s->s + (double)first * NYTP_HEAP_TIME_NS / 1e9); return;
    case NYTP_HEAP_NODE: read_node(s, c, first); return;
    case NYTP_HEAP_SITE: read_site(s, c, first); return;
    case NYTP_HEAP_NAME: read_name(s, c, first); return;
    case NYTP_HEAP_TOTALS: read_totals(s, c, first); return;
    case NYTP_HEAP_BEGIN: read_begin(s, c, first); return;
    case NYTP_HEAP_WALK: nytp_held_begin_walk(&s->held, first != 0); return;
    case NYTP_HEAP_HOLDER: read_holder(s, c, first); return;
    case NYTP_HEAP_HELD: read_held(s, c, first); return;
    case NYTP_HEAP_SPARSER: read_sparser(s, c, first); return;
    }
    c->is_bad = true;
}

static void read_records(nytp_memory_stream *s, nytp_str words)
{
    cursor c = {words.bytes, words.bytes + words.length, false};
    if (c.at < c.end && *c.at == ' ')
        c.at++;
    while (c.at < c.end && !c.is_bad)
        read_record(s, &c);
    s->is_over = c.is_bad;
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
        read_records(s, mark->words);
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
    if (!s->is_taken && s->view.end.name == NULL && s->view.of != NYTP_MEMORY_HELD)
        take(s);
    if (s->is_taken && s->view.of == NYTP_MEMORY_HELD) {
        GArray *sites = nytp_held_show(&s->held, s->sites, s->nodes, s->names, s->texts);
        g_array_unref(s->sites);
        s->sites = sites;
    }
    return s->has_records && s->is_taken;
}

/* ---- what is asked */

const GArray *nytp_memory_stream_nodes(const nytp_memory_stream *s)
{
    return s->nodes;
}

const GArray *nytp_memory_stream_sites(const nytp_memory_stream *s)
{
    return s->sites;
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
    nytp_calibration all = {.truth = s->truth, .is_counted = s->view.of != NYTP_MEMORY_TEMPORARY};
    for (guint i = 0; i < s->sites->len; i++) {
        all.sum += site_at(s, i)->taken.bytes;
        all.variance += site_at(s, i)->taken.variance;
    }
    return all;
}

double nytp_memory_stream_peak_bytes(const nytp_memory_stream *s)
{
    const nytp_sampled *other = &site_at(s, 0)->taken;
    const nytp_calibration all = nytp_memory_stream_calibration(s);
    return s->truth_peak_bytes -
           (s->view.of == NYTP_MEMORY_PEAK ? nytp_calibrated(&all, other->bytes, other->variance) : 0);
}
