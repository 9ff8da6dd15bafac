#include "memory/profile.h"

#include "base/order.h"
#include "base/str.h"
#include "calls/derive_arcs.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/subs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* So many bytes are a second for programs that know of time only: they show MiB. */
enum { TICKS_PER_S = 1 << 20 };

static const nytp_str runtime = {"main::RUNTIME", sizeof "main::RUNTIME" - 1, false};

typedef struct sums {
    uint64_t bytes, blocks;
} sums;

/* A sub of the profile that is written. */
typedef struct sub {
    uint32_t open; /* calls that have begun */
    bool is_used, is_called;
} sub;

typedef struct writing {
    const nytp_memory_named *named;
    nytp_writer *writer;
    const char *of;
    GArray *subs;                             /* sub, by the number of the name */
    nytp_records arcs;                        /* nytp_arc: count is that of blocks, ticks are bytes */
    enum { NOT_USED, USED, WRITTEN } * files; /* by fid */
    uint32_t unknown_fid;

    /* of the process that is written */
    const nytp_memory_stream *stream;
    const GArray *nodes, *sites;
    nytp_calibration all;
    sums *of_sites;       /* by site */
    sums *own, *below;    /* by node: of its sites; and of the nodes below it, too */
    uint32_t *order;      /* nodes; those with one parent are together, sorted */
    uint32_t *first;      /* by node: where its children begin in order; those of the next one end it */
    uint32_t *site_order; /* sites, by node and then sorted */
    uint32_t *first_site; /* by node */
    int64_t samples;
} writing;

static void put(const writing *w, const nytp_chunk *chunk)
{
    nytp_writer_chunk(w->writer, chunk);
}

static void put_setting(const writing *w, nytp_tag tag, const char *key, const char *value)
{
    put(w, &(nytp_chunk){.tag = tag, .attribute = {nytp_str_of(key), nytp_str_of(value)}});
}

static void put_number(const writing *w, nytp_tag tag, const char *key, double value)
{
    char text[32];
    g_snprintf(text, sizeof text, "%.0f", value);
    put_setting(w, tag, key, text);
}

static const nytp_memory_node *node_at(const writing *w, uint32_t number)
{
    return &g_array_index(w->nodes, nytp_memory_node, number);
}

static const nytp_memory_site *site_at(const writing *w, uint32_t number)
{
    return &g_array_index(w->sites, nytp_memory_site, number);
}

/* ---- names and files */

static sub *sub_at(const writing *w, uint32_t number)
{
    return &g_array_index(w->subs, sub, number);
}

/* Returns the number of a sub, which is to be in the profile. */
static uint32_t use_sub(const writing *w, nytp_str name)
{
    const uint32_t number = nytp_names_intern(w->named->subs, &name, NULL);
    if (w->subs->len <= number)
        g_array_set_size(w->subs, number + 1);
    sub_at(w, number)->is_used = true;
    return number;
}

static nytp_str name_of(const writing *w, uint32_t node)
{
    return node > 0 ? nytp_memory_stream_name(w->stream, node_at(w, node)->name) : runtime;
}

static uint32_t fid_of(const writing *w, uint32_t file)
{
    const uint32_t fid = nytp_memory_stream_fid(w->stream, file);
    const bool is_known = fid != 0 && g_hash_table_contains(w->named->files, GUINT_TO_POINTER(fid));
    return is_known ? fid : w->unknown_fid;
}

/* A string eval needs the file that it was done in. */
static void use_file(const writing *w, uint32_t fid)
{
    while (fid != 0 && w->files[fid] == NOT_USED) {
        const nytp_chunk *file = g_hash_table_lookup(w->named->files, GUINT_TO_POINTER(fid));
        w->files[fid] = USED;
        fid = file != NULL && file->new_fid.eval_fid <= w->unknown_fid ? file->new_fid.eval_fid : 0;
    }
}

static void write_files(const writing *w)
{
    nytp_chunk unknown = {.tag = NYTP_NEW_FID};
    unknown.new_fid.fid = w->unknown_fid;
    unknown.new_fid.flags = NYTP_FID_IS_FAKE | NYTP_FID_VIA_STMT;
    unknown.new_fid.name = nytp_str_of("/unknown-place");
    for (uint32_t fid = 1; fid <= w->unknown_fid; fid++) {
        const nytp_chunk *file = g_hash_table_lookup(w->named->files, GUINT_TO_POINTER(fid));
        if (w->files[fid] == USED)
            put(w, file != NULL ? file : &unknown);
        if (w->files[fid] == USED)
            w->files[fid] = WRITTEN;
    }
}

/* ---- sums */

/* Returns whole bytes and blocks, so that all bytes are those that were counted. Memory has at least one
 * block. What has shrunk is none. */
static sums rounded(const writing *w, const nytp_memory_site *site)
{
    const nytp_sampled *a = &site->taken;
    const double bytes = nytp_calibrated(&w->all, a->bytes, a->variance);
    if (bytes < 0.5 || bytes >= 0x1p63)
        return (sums){0, 0};
    return (sums){(uint64_t)llround(bytes), (uint64_t)llround(fmax(1, a->blocks * bytes / a->bytes))};
}

static void add_up(writing *w)
{
    for (uint32_t n = 1; n < w->sites->len; n++) {
        const nytp_memory_site *site = site_at(w, n);
        const sums s = w->of_sites[n] = rounded(w, site);
        w->own[site->node].bytes += s.bytes;
        w->own[site->node].blocks += s.blocks;
        if (s.bytes > 0)
            w->samples += site->taken.samples;
    }
    memcpy(w->below, w->own, w->nodes->len * sizeof *w->below);
    for (uint32_t n = w->nodes->len; n-- > 1;) {
        w->below[node_at(w, n)->parent].bytes += w->below[n].bytes;
        w->below[node_at(w, n)->parent].blocks += w->below[n].blocks;
    }
}

static void use_files(const writing *w)
{
    for (uint32_t n = 1; n < w->sites->len; n++)
        if (w->of_sites[n].bytes > 0)
            use_file(w, fid_of(w, site_at(w, n)->file));
    for (uint32_t n = 1; n < w->nodes->len; n++)
        if (w->below[n].bytes > 0)
            use_file(w, fid_of(w, node_at(w, n)->file));
}

/* ---- the order in which stacks are written */

static int compare_nodes(const void *a_, const void *b_, void *context)
{
    const writing *w = context;
    const uint32_t a = *(const uint32_t *)a_, b = *(const uint32_t *)b_;
    const nytp_memory_node *x = node_at(w, a), *y = node_at(w, b);
    const int order =
        nytp_order2(NYTP_ORDER(x->parent, y->parent), nytp_str_order(name_of(w, a), name_of(w, b)));
    return nytp_order4(order, NYTP_ORDER(fid_of(w, x->file), fid_of(w, y->file)),
                       NYTP_ORDER(x->line, y->line), NYTP_ORDER(a, b));
}

static int compare_sites(const void *a_, const void *b_, void *context)
{
    const writing *w = context;
    const nytp_memory_site *x = site_at(w, *(const uint32_t *)a_), *y = site_at(w, *(const uint32_t *)b_);
    return nytp_order4(NYTP_ORDER(x->node, y->node), NYTP_ORDER(fid_of(w, x->file), fid_of(w, y->file)),
                       NYTP_ORDER(x->line, y->line),
                       nytp_str_order(nytp_memory_stream_name(w->stream, x->kind),
                                      nytp_memory_stream_name(w->stream, y->kind)));
}

/* Sorts the numbers from 1 to count - 1 into order, and sets where those of each group begin. */
static void arrange(writing *w, uint32_t count, uint32_t *order, uint32_t *first, GCompareDataFunc compare,
                    uint32_t (*group)(const writing *w, uint32_t number))
{
    for (uint32_t n = 1; n < count; n++) {
        order[n - 1] = n;
        first[group(w, n) + 1]++;
    }
    for (uint32_t n = 0; n < w->nodes->len; n++)
        first[n + 1] += first[n];
    if (count > 1)
        g_qsort_with_data(order, (gint)count - 1, sizeof *order, compare, w);
}

static uint32_t parent_of(const writing *w, uint32_t node)
{
    return node_at(w, node)->parent;
}

static uint32_t node_of(const writing *w, uint32_t site)
{
    return site_at(w, site)->node;
}

/* ---- stacks */

/* A TIME_LINE holds at most INT32_MAX bytes. */
static void write_site(const writing *w, uint32_t number)
{
    const nytp_chunk discount = {.tag = NYTP_DISCOUNT};
    const nytp_memory_site *site = site_at(w, number);
    const sums s = w->of_sites[number];
    const nytp_str kind = nytp_memory_stream_name(w->stream, site->kind);
    const uint32_t fid = fid_of(w, site->file);
    g_autofree char *value =
        g_strdup_printf("%" PRIu64 " %" PRId64 " %.0f %.*s", s.blocks, site->taken.samples,
                        sqrt(fmax(site->taken.variance, 0)), (int)kind.length, kind.bytes);
    if (s.bytes == 0)
        return;
    put_setting(w, NYTP_ATTRIBUTE, "memory", value);
    for (uint64_t left = s.bytes; left > 0;) {
        const uint64_t bytes = left < INT32_MAX ? left : INT32_MAX;
        nytp_chunk chunk = {.tag = NYTP_TIME_LINE};
        chunk.time.ticks = (int32_t)bytes;
        chunk.time.fid = fid;
        chunk.time.line = fid != w->unknown_fid ? site->line : 1;
        if (left < s.bytes)
            put(w, &discount);
        put(w, &chunk);
        left -= bytes;
    }
}

static void enter(const writing *w, uint32_t node)
{
    const nytp_memory_node *n = node_at(w, node);
    nytp_chunk chunk = {.tag = NYTP_SUB_ENTRY};
    chunk.sub_entry.fid = fid_of(w, n->file);
    chunk.sub_entry.line = n->line;
    if (node > 0)
        put(w, &chunk);
    if (w->below[node].bytes > 0)
        sub_at(w, use_sub(w, name_of(w, node)))->open++;
    for (uint32_t i = w->first_site[node]; i < w->first_site[node + 1]; i++)
        write_site(w, w->site_order[i]);
}

static void add_to_arc(writing *w, uint32_t node, uint32_t recursion)
{
    const nytp_memory_node *n = node_at(w, node);
    nytp_arc arc = {.caller = use_sub(w, name_of(w, n->parent)),
                    .callee = use_sub(w, name_of(w, node)),
                    .fid = fid_of(w, n->file),
                    .line = n->line,
                    .count = w->below[node].blocks,
                    .excl_ticks = (int64_t)w->own[node].bytes,
                    .max_depth = recursion};
    *(recursion > 0 ? &arc.reci_ticks : &arc.incl_ticks) = (int64_t)w->below[node].bytes;
    nytp_records_add(&w->arcs, &arc, nytp_arc_add);
    sub_at(w, arc.callee)->is_called = true;
}

static void leave(writing *w, uint32_t node, uint32_t depth)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_RETURN};
    chunk.sub_return.depth = depth;
    chunk.sub_return.incl_ticks = (double)w->below[node].bytes;
    chunk.sub_return.excl_ticks = (double)w->own[node].bytes;
    chunk.sub_return.name = name_of(w, node);
    put(w, &chunk);
    add_to_arc(w, node, --sub_at(w, use_sub(w, chunk.sub_return.name))->open);
}

/* Visits the tree without recursion, as it may be deep. */
static void write_stacks(writing *w)
{
    g_autofree uint32_t *next = g_memdup2(w->first, w->nodes->len * sizeof *next);
    uint32_t node = 0, depth = 0;
    enter(w, 0);
    for (;;) {
        if (next[node] < w->first[node + 1]) {
            const uint32_t child = w->order[next[node]++];
            if (w->below[child].bytes == 0)
                continue;
            node = child;
            depth++;
            enter(w, node);
        } else if (node > 0) {
            leave(w, node, depth--);
            node = parent_of(w, node);
        } else {
            return;
        }
    }
}

/* ---- processes */

static void write_values(const writing *w, const nytp_memory_process *process)
{
    for (int type = 0; type < NYTP_VALUE_TYPE_COUNT; type++) {
        char key[48];
        g_snprintf(key, sizeof key, NYTP_VALUES_KEY "%s", nytp_value_types[type]);
        if (process->taken_values[type] > 0)
            put_number(w, NYTP_ATTRIBUTE, key, process->taken_values[type]);
    }
}

static void write_process(writing *w, const nytp_memory_process *process)
{
    w->stream = process->stream;
    w->nodes = nytp_memory_stream_nodes(w->stream);
    w->sites = nytp_memory_stream_sites(w->stream);
    w->all = nytp_memory_stream_calibration(w->stream);
    const uint32_t nodes = w->nodes->len;
    g_autofree sums *own = w->own = g_new0(sums, nodes), *below = w->below = g_new0(sums, nodes),
                    *of_sites = w->of_sites = g_new0(sums, w->sites->len);
    g_autofree uint32_t *order = w->order = g_new0(uint32_t, nodes),
                        *first = w->first = g_new0(uint32_t, nodes + 1),
                        *site_order = w->site_order = g_new0(uint32_t, w->sites->len),
                        *first_site = w->first_site = g_new0(uint32_t, nodes + 1);
    w->samples = 0;
    arrange(w, nodes, order, first, compare_nodes, parent_of);
    arrange(w, w->sites->len, site_order, first_site, compare_sites, node_of);
    add_up(w);
    use_files(w);
    write_files(w);
    write_stacks(w);
    write_values(w, process);
    put_number(w, NYTP_ATTRIBUTE, "heap_samples", (double)w->samples);
    put_number(w, NYTP_ATTRIBUTE, "peak_bytes", nytp_memory_stream_peak_bytes(w->stream));
    put_number(w, NYTP_ATTRIBUTE, "cumulative_overhead_ticks", 0); /* stock's programs need it */
}

/* ---- the profile */

/* Returns the variance of the sites that are not written: what has shrunk, and what was not recorded.
 * INFINITY if all of them do not have together what was counted. */
static double variance_left_out(const nytp_memory_stream *stream)
{
    const nytp_calibration all = nytp_memory_stream_calibration(stream);
    const GArray *sites = nytp_memory_stream_sites(stream);
    double shown = 0;
    for (guint n = 1; n < sites->len; n++) {
        const nytp_sampled *taken = &g_array_index(sites, nytp_memory_site, n).taken;
        shown += nytp_calibrated(&all, taken->bytes, taken->variance) > 0 ? taken->variance : 0;
    }
    return nytp_is_calibrated(&all) ? fmax(all.variance - shown, 0) : INFINITY;
}

static void write_sum(const writing *w, const GArray *processes)
{
    double left_out = 0;
    NYTP_EACH(const nytp_memory_process, process, processes)
        left_out += process->stream != NULL ? variance_left_out(process->stream) : 0;
    if (left_out < INFINITY)
        put_number(w, NYTP_ATTRIBUTE, NYTP_SAMPLED_SUM_KEY, sqrt(left_out));
}

static void write_header(const writing *w, const GArray *processes)
{
    const nytp_chunk format = {.tag = NYTP_VERSION, .version = {5, 0}};
    nytp_chunk comment = {.tag = NYTP_COMMENT};
    comment.comment.text = nytp_str_of(" Perl profile of memory, out of a profile of time");
    put(w, &format);
    put(w, &comment);
    for (guint i = 0; i < w->named->settings->len; i++)
        put(w, &g_array_index(w->named->settings, nytp_chunk, i));
    put_number(w, NYTP_ATTRIBUTE, "ticks_per_sec", TICKS_PER_S);
    put_setting(w, NYTP_ATTRIBUTE, "unit", "bytes");
    put_setting(w, NYTP_ATTRIBUTE, "memory_of", w->of);
    put_number(w, NYTP_ATTRIBUTE, "sampled_bytes", w->named->rate_bytes);
    write_sum(w, processes);
    put_number(w, NYTP_OPTION, "subs", 1);
    put_number(w, NYTP_OPTION, "stmts", 1);
    put_number(w, NYTP_OPTION, "calls", 2);
}

static nytp_str name_of_sub(const writing *w, uint32_t number)
{
    return nytp_names_get(w->named->subs, number);
}

static int compare_subs(const void *a, const void *b, void *context)
{
    return nytp_str_order(name_of_sub(context, *(const uint32_t *)a),
                          name_of_sub(context, *(const uint32_t *)b));
}

static int compare_arcs(const void *a, const void *b, void *context)
{
    const writing *w = context;
    const nytp_arc *x = nytp_records_at(&w->arcs, *(const uint32_t *)a),
                   *y = nytp_records_at(&w->arcs, *(const uint32_t *)b);
    return nytp_order4(nytp_str_order(name_of_sub(w, x->callee), name_of_sub(w, y->callee)),
                       nytp_str_order(name_of_sub(w, x->caller), name_of_sub(w, y->caller)),
                       NYTP_ORDER(x->fid, y->fid), NYTP_ORDER(x->line, y->line));
}

static void use_files_of_subs(const writing *w)
{
    for (uint32_t n = 0; n < w->subs->len; n++) {
        const nytp_chunk *info = sub_at(w, n)->is_used ? nytp_memory_sub_info(w->named, n) : NULL;
        if (info != NULL && info->sub_info.fid < w->unknown_fid)
            use_file(w, info->sub_info.fid);
    }
}

/* A sub without a place is a built-in, an xsub, or stands for what is not a call. What is outside of subs is
 * one, too, though a profile of time without calls does not say so. */
static void write_sub(const writing *w, uint32_t number)
{
    const nytp_chunk *info = nytp_memory_sub_info(w->named, number);
    nytp_chunk xsub = {.tag = NYTP_SUB_CALLERS}, root = {.tag = NYTP_SUB_INFO};
    xsub.sub_callers.called = root.sub_info.name = name_of_sub(w, number);
    root.sub_info.fid = root.sub_info.first_line = root.sub_info.last_line = 1;
    if (info == NULL)
        info = nytp_str_same(root.sub_info.name, runtime) ? &root : &xsub;
    if (info != &xsub || sub_at(w, number)->is_called)
        put(w, info);
}

static void put_of_arc(void *context, const nytp_chunk *chunk)
{
    put(context, chunk);
}

static void write_subs(writing *w)
{
    g_autofree uint32_t *subs = nytp_group_order(w->subs->len, compare_subs, w),
                        *arcs = nytp_group_order(w->arcs.count, compare_arcs, w);
    use_files_of_subs(w);
    write_files(w);
    for (uint32_t i = 0; i < w->subs->len; i++)
        if (sub_at(w, subs[i])->is_used)
            write_sub(w, subs[i]);
    for (uint32_t i = 0; i < w->arcs.count; i++)
        nytp_arc_chunks(nytp_records_at(&w->arcs, arcs[i]), w->named->subs, TICKS_PER_S, put_of_arc, w);
}

int nytp_memory_profile_write(const GArray *processes, const nytp_memory_named *named, const char *of,
                              nytp_writer *writer)
{
    writing w = {.named = named, .writer = writer, .of = of, .unknown_fid = named->last_fid + 1};
    w.subs = g_array_new(FALSE, TRUE, sizeof(sub));
    nytp_records_init(&w.arcs, sizeof(nytp_arc), offsetof(nytp_arc, count));
    w.files = g_malloc0_n((size_t)w.unknown_fid + 1, sizeof *w.files);
    write_header(&w, processes);
    for (guint i = 0; i < processes->len; i++) {
        const nytp_memory_process *process = &g_array_index(processes, nytp_memory_process, i);
        put(&w, &process->start);
        if (process->stream != NULL)
            write_process(&w, process);
        if (i + 1 == processes->len)
            write_subs(&w);
        if (process->end.tag == NYTP_PID_END)
            put(&w, &process->end);
    }
    g_array_unref(w.subs);
    nytp_records_clear(&w.arcs);
    g_free(w.files);
    return nytp_writer_finish(writer);
}
