#include "memory/profile.h"

#include "base/hash.h"
#include "base/order.h"
#include "base/str.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* So many bytes are a second for programs that know of time only: they show MiB. */
enum { TICKS_PER_S = 1 << 20 };

static const nytp_str runtime = {"main::RUNTIME", sizeof "main::RUNTIME" - 1, false};

typedef struct sums {
    uint64_t bytes, blocks;
} sums;

/* A sub that is called from a line of another one. */
typedef struct arc {
    nytp_str caller, called;
    uint32_t fid, line, max_depth;
    uint64_t blocks;
    double incl_bytes, excl_bytes, reci_bytes;
} arc;

/* A sub of the profile that is written. */
typedef struct sub {
    nytp_str name;
    uint32_t open; /* calls that have begun */
    bool is_called;
} sub;

typedef struct writing {
    const nytp_memory_named *named;
    nytp_writer *writer;
    const char *of;
    GHashTable *subs;                         /* sub, by name */
    GHashTable *arcs;                         /* arc */
    enum { NOT_USED, USED, WRITTEN } * files; /* by fid */
    uint32_t unknown_fid;

    /* of the process that is written */
    const nytp_memory_stream *stream;
    const GArray *nodes, *sites;
    nytp_calibration all;
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

guint nytp_memory_hash_of_name(gconstpointer name_)
{
    const nytp_str *name = name_;
    return (guint)nytp_hash_bytes(name->bytes, name->length);
}

gboolean nytp_memory_is_same_name(gconstpointer a, gconstpointer b)
{
    return nytp_str_same(*(const nytp_str *)a, *(const nytp_str *)b);
}

static sub *sub_of(const writing *w, nytp_str name)
{
    sub *found = g_hash_table_lookup(w->subs, &name);
    if (found != NULL)
        return found;
    found = g_new0(sub, 1);
    found->name = name;
    g_hash_table_insert(w->subs, &found->name, found);
    return found;
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
    const nytp_memory_amount *a = &site->taken;
    const double bytes = nytp_calibrated(&w->all, a->bytes, a->variance);
    if (a->samples <= 0 || bytes < 0.5 || bytes >= 0x1p63)
        return (sums){0, 0};
    return (sums){(uint64_t)llround(bytes), (uint64_t)llround(fmax(1, a->blocks * bytes / a->bytes))};
}

static void add_up(writing *w)
{
    for (uint32_t n = 1; n < w->sites->len; n++) {
        const nytp_memory_site *site = site_at(w, n);
        const sums s = rounded(w, site);
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
        if (rounded(w, site_at(w, n)).bytes > 0)
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
static void write_site(const writing *w, const nytp_memory_site *site)
{
    const nytp_chunk discount = {.tag = NYTP_DISCOUNT};
    const sums s = rounded(w, site);
    const nytp_str kind = nytp_memory_stream_name(w->stream, site->kind);
    const uint32_t fid = fid_of(w, site->file);
    g_autofree char *value = g_strdup_printf("%" PRIu64 " %.*s", s.blocks, (int)kind.length, kind.bytes);
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
    if (node > 0) {
        const nytp_memory_node *n = node_at(w, node);
        nytp_chunk chunk = {.tag = NYTP_SUB_ENTRY};
        chunk.sub_entry.fid = fid_of(w, n->file);
        chunk.sub_entry.line = n->line;
        put(w, &chunk);
        sub_of(w, name_of(w, node))->open++;
    }
    for (uint32_t i = w->first_site[node]; i < w->first_site[node + 1]; i++)
        write_site(w, site_at(w, w->site_order[i]));
}

static guint hash_of_arc(gconstpointer arc_)
{
    const arc *a = arc_;
    const uint64_t names =
        nytp_hash_mix(0, nytp_memory_hash_of_name(&a->caller), nytp_memory_hash_of_name(&a->called));
    return (guint)nytp_hash_mix(names, a->fid, a->line);
}

static gboolean is_same_arc(gconstpointer a_, gconstpointer b_)
{
    const arc *a = a_, *b = b_;
    return a->fid == b->fid && a->line == b->line && nytp_str_same(a->caller, b->caller) &&
           nytp_str_same(a->called, b->called);
}

static void add_to_arc(const writing *w, uint32_t node, uint32_t recursion)
{
    const nytp_memory_node *n = node_at(w, node);
    const arc key = {.caller = name_of(w, n->parent),
                     .called = name_of(w, node),
                     .fid = fid_of(w, n->file),
                     .line = n->line};
    const double bytes = (double)w->below[node].bytes;
    arc *a = g_hash_table_lookup(w->arcs, &key);
    if (a == NULL) {
        a = g_memdup2(&key, sizeof key);
        g_hash_table_add(w->arcs, a);
    }
    a->blocks += w->below[node].blocks;
    a->excl_bytes += (double)w->own[node].bytes;
    *(recursion > 0 ? &a->reci_bytes : &a->incl_bytes) += bytes;
    a->max_depth = MAX(a->max_depth, recursion);
    sub_of(w, key.caller);
    sub_of(w, key.called)->is_called = true;
}

static void leave(const writing *w, uint32_t node, uint32_t depth)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_RETURN};
    chunk.sub_return.depth = depth;
    chunk.sub_return.incl_ticks = (double)w->below[node].bytes;
    chunk.sub_return.excl_ticks = (double)w->own[node].bytes;
    chunk.sub_return.name = name_of(w, node);
    put(w, &chunk);
    add_to_arc(w, node, --sub_of(w, chunk.sub_return.name)->open);
}

/* Visits the tree without recursion, as it may be deep. */
static void write_stacks(const writing *w)
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
    g_autofree sums *own = w->own = g_new0(sums, nodes), *below = w->below = g_new0(sums, nodes);
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

static void write_header(const writing *w)
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
    put_number(w, NYTP_OPTION, "subs", 1);
    put_number(w, NYTP_OPTION, "stmts", 1);
    put_number(w, NYTP_OPTION, "calls", 2);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return nytp_str_order((*(const sub *const *)a)->name, (*(const sub *const *)b)->name);
}

/* A sub without a place is a built-in, an xsub, or stands for what is not a call. */
static void write_sub(const writing *w, const sub *s)
{
    const nytp_chunk *info = g_hash_table_lookup(w->named->subs, &s->name);
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS};
    chunk.sub_callers.called = s->name;
    if (info != NULL)
        put(w, info);
    else if (s->is_called)
        put(w, &chunk);
}

/* Of what is known of a sub; 0 if that makes no sense. */
static uint32_t fid_of_sub(const writing *w, const sub *s)
{
    const nytp_chunk *info = g_hash_table_lookup(w->named->subs, &s->name);
    return info != NULL && info->sub_info.fid < w->unknown_fid ? info->sub_info.fid : 0;
}

static void write_arc(const writing *w, const arc *a)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS};
    chunk.sub_callers.fid = a->fid;
    chunk.sub_callers.line = a->line;
    chunk.sub_callers.caller = a->caller;
    chunk.sub_callers.called = a->called;
    chunk.sub_callers.incl_s = a->incl_bytes / TICKS_PER_S;
    chunk.sub_callers.excl_s = a->excl_bytes / TICKS_PER_S;
    chunk.sub_callers.reci_s = a->reci_bytes / TICKS_PER_S;
    chunk.sub_callers.max_depth = a->max_depth;
    for (uint64_t left = a->blocks; left > 0;) { /* the sum of several chunks is one arc */
        chunk.sub_callers.count = (uint32_t)MIN(left, UINT32_MAX);
        put(w, &chunk);
        left -= chunk.sub_callers.count;
        chunk.sub_callers.incl_s = chunk.sub_callers.excl_s = chunk.sub_callers.reci_s = 0;
    }
}

static int compare_arcs(gconstpointer a_, gconstpointer b_)
{
    const arc *a = *(const arc *const *)a_, *b = *(const arc *const *)b_;
    return nytp_order4(nytp_str_order(a->called, b->called), nytp_str_order(a->caller, b->caller),
                       NYTP_ORDER(a->fid, b->fid), NYTP_ORDER(a->line, b->line));
}

/* Returns the values of a table, sorted. */
static GPtrArray *sorted(GHashTable *table, GCompareFunc compare)
{
    GPtrArray *values = g_ptr_array_new();
    GHashTableIter iter;
    void *value;
    for (g_hash_table_iter_init(&iter, table); g_hash_table_iter_next(&iter, NULL, &value);)
        g_ptr_array_add(values, value);
    g_ptr_array_sort(values, compare);
    return values;
}

static void write_subs(const writing *w)
{
    g_autoptr(GPtrArray) subs = sorted(w->subs, compare_names), arcs = sorted(w->arcs, compare_arcs);
    for (guint i = 0; i < subs->len; i++)
        use_file(w, fid_of_sub(w, subs->pdata[i]));
    write_files(w);
    for (guint i = 0; i < subs->len; i++)
        write_sub(w, subs->pdata[i]);
    for (guint i = 0; i < arcs->len; i++)
        write_arc(w, arcs->pdata[i]);
}

int nytp_memory_profile_write(const GArray *processes, const nytp_memory_named *named, const char *of,
                              nytp_writer *writer)
{
    writing w = {.named = named, .writer = writer, .of = of, .unknown_fid = named->last_fid + 1};
    w.subs = g_hash_table_new_full(nytp_memory_hash_of_name, nytp_memory_is_same_name, NULL, g_free);
    w.arcs = g_hash_table_new_full(hash_of_arc, is_same_arc, g_free, NULL);
    w.files = g_malloc0_n((size_t)w.unknown_fid + 1, sizeof *w.files);
    write_header(&w);
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
    g_hash_table_unref(w.subs);
    g_hash_table_unref(w.arcs);
    g_free(w.files);
    return nytp_writer_finish(writer);
}
