#include "core.h"

#include "overview.h"
#include "base/order.h"
#include "base/ticks.h"
#include "cli/read.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/names.h"
#include "model/profile.h"

#include <math.h>
#include <string.h>

/* As many slices as the strip of time has at most; and so few that smaller places are joined instead. */
enum { MOST_SLICES = 512, FEW_SLICES = 64 };

typedef struct reading {
    const nytp_operands *inputs;
    const nytp_common_options *common;
    nytp_filter_options filters;
    nytp_memory_history *history;
    uint32_t *first_processes; /* of each input */
} reading;

/* parts: NULL: what happens over time. Returns whether all inputs have been read. */
static bool read_inputs(reading *r, nytp_records *parts)
{
    bool has_all = true;
    for (int i = 0; i < r->inputs->count && has_all; i++) {
        if (parts == NULL)
            r->first_processes[i] = r->history->ends_s->len;
        r->history->first_process = r->first_processes[i];
        has_all = nytp_can_be_read_again(r->inputs->names[i]) &&
                  nytp_read_memory_history(r->inputs->names[i], r->common, &r->filters, r->history, parts);
    }
    return has_all;
}

void html_memory_read(html_report *report, const html_options *options, const nytp_common_options *common)
{
    g_autofree uint32_t *first = g_new0(uint32_t, (gsize)options->inputs->count);
    nytp_memory_history *h = nytp_memory_history_new(true);
    reading r = {options->inputs, common, {.begin_s = nytp_processes_begin_s(report->profile)}, h, first};
    bool has_all = read_inputs(&r, NULL);
    if (has_all && nytp_profile_has_heap_holders(report->profile))
        has_all = read_inputs(&r, &h->holders);
    r.filters.range = nytp_memory_history_peak(h);
    if (has_all && h->totals.count > 0 && read_inputs(&r, &h->peaks))
        report->history = h;
    else
        nytp_memory_history_free(h);
}

/* ---- what does not fit */

/* Returns the bytes that each place ever had. */
static double *weights_of(const nytp_memory_history *h)
{
    double *weights = g_new0(double, h->places.count);
    NYTP_EACH_RECORD(const nytp_memory_life, life, &h->lives)
        weights[life->place] += fabs(life->amount.bytes);
    return weights;
}

static void join_small(void *places, void *record)
{
    uint32_t *place = record; /* lives and parts begin with it */
    *place = ((const uint32_t *)places)[*place];
}

/* Makes one place of those of a kind with less than a share of all bytes. */
static void join_places(nytp_memory_history *h, double share)
{
    static const nytp_str name = {"(smaller places)", sizeof "(smaller places)" - 1, false};
    const nytp_pair node = {0, nytp_names_intern(h->names, &name, NULL)};
    const uint32_t count = h->places.count;
    g_autofree double *weights = weights_of(h);
    g_autofree uint32_t *to = g_new(uint32_t, (size_t)count);
    double least = 0;
    for (uint32_t i = 0; i < count; i++)
        least += weights[i] * share;
    for (uint32_t i = 0; i < count; i++) {
        const nytp_memory_place *place = nytp_records_at(&h->places, i),
                                others = {.node = nytp_pairs_intern(&h->nodes, node), .kind = place->kind};
        to[i] = i > 0 && weights[i] < least ? nytp_records_number(&h->places, &others, NULL) : i;
    }
    nytp_records_change(&h->lives, join_small, to, nytp_memory_join_lives);
    nytp_records_change(&h->peaks, join_small, to, nytp_memory_join_parts);
    nytp_records_change(&h->holders, join_small, to, nytp_memory_join_parts);
}

/* ---- what is written, with numbers of its own */

typedef struct kept {
    GArray *list;     /* uint32_t: their numbers in the history */
    uint32_t *number; /* by these: the number in the block */
} kept;

typedef struct block {
    const html_report *report;
    const nytp_memory_history *history;
    kept places, nodes, names;
} block;

static kept kept_new(uint32_t count)
{
    kept k = {NYTP_ARRAY(uint32_t), g_new(uint32_t, count)};
    memset(k.number, 0xFF, count * sizeof *k.number);
    return k;
}

static void kept_clear(const kept *k)
{
    g_array_unref(k->list);
    g_free(k->number);
}

static void keep(const kept *k, uint32_t number)
{
    if (k->number[number] != UINT32_MAX)
        return;
    k->number[number] = k->list->len;
    g_array_append_val(k->list, number);
}

static uint32_t kept_at(const kept *k, guint i)
{
    return g_array_index(k->list, uint32_t, i);
}

/* Callers come after those that they call. */
static void keep_place(const block *b, uint32_t number)
{
    const nytp_memory_place *place = nytp_records_at(&b->history->places, number);
    keep(&b->places, number);
    keep(&b->names, place->kind);
    for (uint32_t node = place->node; b->nodes.number[node] == UINT32_MAX;) {
        const nytp_pair pair = nytp_pairs_get(&b->history->nodes, node);
        keep(&b->nodes, node);
        keep(&b->names, pair.second);
        node = pair.first;
    }
}

static void keep_parts(const block *b, const nytp_records *parts)
{
    NYTP_EACH_RECORD(const nytp_memory_part, part, parts) {
        keep_place(b, part->place);
        keep(&b->names, part->holder);
    }
}

static block block_new(const html_report *r, const nytp_memory_history *h)
{
    const block b = {r, h, kept_new(h->places.count), kept_new(h->nodes.count),
                     kept_new(nytp_names_count(h->names))};
    keep_place(&b, 0);
    NYTP_EACH_RECORD(const nytp_memory_life, life, &h->lives)
        keep_place(&b, life->place);
    NYTP_EACH_RECORD(const nytp_memory_moment_name, moment, &h->moments)
        keep(&b.names, moment->name);
    keep_parts(&b, &h->peaks);
    keep_parts(&b, &h->holders);
    return b;
}

static int64_t whole(double number)
{
    return nytp_whole_ticks(rint(number));
}

/* Variances are written as errors, which are shorter; less than nothing where samples without records went.
 */
static int64_t error_of(const nytp_sampled *amount)
{
    return whole(copysign(sqrt(fabs(amount->variance)), amount->variance));
}

#define AMOUNT_COLUMNS(j, count, i, of)                                                                      \
    do {                                                                                                     \
        HTML_COLUMN(j, "bytes", count, i, whole((of)->amount.bytes));                                        \
        HTML_COLUMN(j, "blocks", count, i, whole((of)->amount.blocks));                                      \
        HTML_COLUMN(j, "error", count, i, error_of(&(of)->amount));                                          \
        HTML_COLUMN(j, "samples", count, i, (of)->amount.samples);                                           \
    } while (false)

static void write_names(html_json *j, const block *b)
{
    const guint count = b->names.list->len;
    const nytp_names *names = b->history->names;
    html_json_open(j, "names", '{');
    html_json_open(j, "text", '[');
    for (guint i = 0; i < count; i++) {
        g_autofree char *text = nytp_name_clean(nytp_names_get(names, kept_at(&b->names, i)));
        html_json_text(j, NULL, text);
    }
    html_json_close(j, ']');
    HTML_COLUMN(j, "sub", count, i,
                html_report_find_sub(b->report, nytp_names_get(names, kept_at(&b->names, i))));
    html_json_close(j, '}');
}

static nytp_pair node_at(const block *b, guint i)
{
    return nytp_pairs_get(&b->history->nodes, kept_at(&b->nodes, i));
}

static const nytp_memory_place *place_at(const block *b, guint i)
{
    return nytp_records_at(&b->history->places, kept_at(&b->places, i));
}

static void write_places(html_json *j, const block *b)
{
    const guint nodes = b->nodes.list->len, places = b->places.list->len;
    html_json_open(j, "nodes", '{');
    HTML_COLUMN(j, "parent", nodes, i, b->nodes.number[node_at(b, i).first]);
    HTML_COLUMN(j, "name", nodes, i, b->names.number[node_at(b, i).second]);
    html_json_close(j, '}');
    html_json_open(j, "places", '{');
    HTML_COLUMN(j, "node", places, i, b->nodes.number[place_at(b, i)->node]);
    HTML_COLUMN(j, "kind", places, i, b->names.number[place_at(b, i)->kind]);
    HTML_COLUMN(j, "file", places, i,
                html_report_find_file(b->report, nytp_names_get(b->history->names, place_at(b, i)->file)));
    HTML_COLUMN(j, "line", places, i, place_at(b, i)->line);
    html_json_close(j, '}');
}

static int compare_lives(const void *a_, const void *b_, void *lives)
{
    const nytp_memory_life *a = (const nytp_memory_life *)lives + *(const uint32_t *)a_,
                           *b = (const nytp_memory_life *)lives + *(const uint32_t *)b_;
    return nytp_order4(NYTP_ORDER(a->place, b->place), NYTP_ORDER(a->process, b->process),
                       NYTP_ORDER(a->came, b->came), NYTP_ORDER(a->went, b->went));
}

static void write_lives(html_json *j, const block *b)
{
    const nytp_memory_life *lives = nytp_records_at(&b->history->lives, 0);
    const uint32_t count = b->history->lives.count;
    g_autofree uint32_t *order = nytp_group_order(count, compare_lives, (void *)lives);
    html_json_open(j, "lives", '{');
    HTML_COLUMN(j, "place", count, i, b->places.number[lives[order[i]].place]);
    HTML_COLUMN(j, "process", count, i, lives[order[i]].process);
    HTML_COLUMN(j, "came", count, i, lives[order[i]].came);
    HTML_COLUMN(j, "went", count, i, lives[order[i]].went != NYTP_MEMORY_STAYS ? lives[order[i]].went : -1);
    AMOUNT_COLUMNS(j, count, i, &lives[order[i]]);
    html_json_close(j, '}');
}

static void write_totals(html_json *j, const nytp_records *records)
{
    const nytp_memory_total *totals = nytp_records_at(records, 0);
    html_json_open(j, "totals", '{');
    HTML_COLUMN(j, "process", records->count, i, totals[i].process);
    HTML_COLUMN(j, "slice", records->count, i, totals[i].slice);
    HTML_COLUMN(j, "live", records->count, i, whole(totals[i].counted.live));
    HTML_COLUMN(j, "given", records->count, i, whole(totals[i].counted.given));
    html_json_close(j, '}');
}

static void write_parts(html_json *j, const char *key, const block *b, const nytp_records *records)
{
    const nytp_memory_part *parts = nytp_records_at(records, 0);
    html_json_open(j, key, '{');
    HTML_COLUMN(j, "place", records->count, i, b->places.number[parts[i].place]);
    HTML_COLUMN(j, "process", records->count, i, parts[i].process);
    HTML_COLUMN(j, "holder", records->count, i, b->names.number[parts[i].holder]);
    AMOUNT_COLUMNS(j, records->count, i, &parts[i]);
    html_json_close(j, '}');
}

static void write_moments(html_json *j, const block *b, const nytp_records *records)
{
    const nytp_memory_moment_name *moments = nytp_records_at(records, 0);
    html_json_open(j, "moments", '{');
    HTML_COLUMN(j, "name", records->count, i, b->names.number[moments[i].name]);
    HTML_COLUMN_OF(html_json_real, j, "s", records->count, i, moments[i].s);
    html_json_close(j, '}');
}

static GByteArray *block_of(const html_report *r, const nytp_memory_history *h, html_pack *pack)
{
    const block b = block_new(r, h);
    g_autofree html_json *j = html_json_new(pack);
    html_json_real(j, "width_s", h->width_s);
    html_json_int(j, "count", nytp_memory_history_slices(h));
    html_json_real(j, "peak_s", nytp_memory_history_peak(h).to.s);
    HTML_COLUMN_OF(html_json_real, j, "ends_s", h->ends_s->len, i,
                   fmin(g_array_index(h->ends_s, double, i), NYTP_MEMORY_STAYS));
    write_names(j, &b);
    write_places(j, &b);
    write_lives(j, &b);
    write_totals(j, &h->totals);
    write_moments(j, &b, &h->moments);
    write_parts(j, "peaks", &b, &h->peaks);
    write_parts(j, "holders", &b, &h->holders);
    kept_clear(&b.places);
    kept_clear(&b.nodes);
    kept_clear(&b.names);
    return html_json_take_block(j);
}

void html_memory_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out)
{
    nytp_memory_history *h = report->history;
    double share = 5e-6;
    if (h == NULL)
        return;
    while (nytp_memory_history_slices(h) > MOST_SLICES)
        nytp_memory_history_halve(h);
    while (share < 1) {
        g_autoptr(GByteArray) deflated = block_of(report, h, pack);
        if (html_pack_write_if_fits(deflated, "memory", &most_bytes, out))
            return;
        if (nytp_memory_history_slices(h) > FEW_SLICES)
            nytp_memory_history_halve(h);
        else
            join_places(h, share *= 2);
    }
}
