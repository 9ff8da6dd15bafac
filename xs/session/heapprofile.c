#include "session/heapfiles.h"

#include "base/str.h"
#include "basics/alloc.h"
#include "hot.h"

#include <inttypes.h>
#include <math.h>

/* So many bytes are a second for programs that know of time only: they show MiB. */
enum { TICKS_PER_S = 1 << 20 };

const char *const prof_heap_file_names[PROF_HEAP_FILES] = {"peak", "live", "alloc"};

typedef struct sums {
    uint64_t bytes, blocks;
} sums;

/* A part that is being written. */
typedef struct writing {
    prof *p;
    const prof_heap_view *view;
    prof_heap_part part;
    nytp_writer *writer;
    sums *own;       /* by node: of its sites */
    sums *all;       /* by node: of its sites, and of the nodes below it */
    uint32_t *next;  /* by node: which of its children comes next */
    uint32_t *open;  /* by sub: calls that have begun */
    bool *has_file;  /* by fid */
    bool *has_sub;   /* by sub: it is in the profile */
    bool *is_called; /* by sub */
    prof_arcs arcs;
    int64_t samples;
} writing;

static void put(writing *w, const nytp_chunk *chunk)
{
    nytp_writer_chunk(w->writer, chunk);
}

static void put_setting(writing *w, nytp_tag tag, const char *key, const char *value)
{
    put(w, &(nytp_chunk){.tag = tag, .attribute = {nytp_str_of(key), nytp_str_of(value)}});
}

static void put_number(writing *w, nytp_tag tag, const char *key, double value)
{
    char text[32];
    my_snprintf(text, sizeof text, "%.0f", value);
    put_setting(w, tag, key, text);
}

/* ---- sums */

static prof_heap_part part_of(const writing *w)
{
    return w->part == PROF_HEAP_LIVE && w->view->has_ended ? PROF_HEAP_END : w->part;
}

static const prof_amount *amount_of(const writing *w, const prof_heap_written *site)
{
    return prof_heap_amount(site->of, part_of(w), site->of->peak_number);
}

/* Returns whole bytes and blocks, so that all bytes are those that were counted. Memory has at least one
 * block. */
static sums rounded(const writing *w, const prof_heap_written *site)
{
    const prof_amount *a = amount_of(w, site);
    const double bytes = nytp_calibrated(&w->view->heap.calibration[part_of(w)], a->bytes, a->variance);
    if (a->samples <= 0 || bytes < 0.5)
        return (sums){0, 0};
    return (sums){(uint64_t)llround(bytes), (uint64_t)llround(fmax(1, a->blocks * bytes / a->bytes))};
}

static void add_up(writing *w)
{
    const prof_heap *heap = &w->view->heap;
    for (uint32_t n = 0; n < heap->site_count; n++) {
        const prof_heap_written *site = &w->view->sites[n];
        const sums s = rounded(w, site);
        w->own[site->of->node].bytes += s.bytes;
        w->own[site->of->node].blocks += s.blocks;
        if (s.bytes > 0)
            w->samples += amount_of(w, site)->samples;
    }
    memcpy(w->all, w->own, heap->node_count * sizeof *w->all);
    for (uint32_t n = heap->node_count; n-- > 1;) {
        w->all[heap->nodes[n].parent].bytes += w->all[n].bytes;
        w->all[heap->nodes[n].parent].blocks += w->all[n].blocks;
    }
}

/* ---- the header */

void prof_heap_profile_note(prof *p, const char *key, const char *value)
{
    char *before = p->heap.attributes;
    p->heap.attributes = NULL;
    if (key != NULL) {
        const size_t size = (before != NULL ? strlen(before) : 0) + strlen(key) + strlen(value) + 3;
        p->heap.attributes = prof_alloc(size);
        my_snprintf(p->heap.attributes, size, "%s%s=%s\n", before != NULL ? before : "", key, value);
    }
    free(before);
}

static void write_noted(writing *w)
{
    const char *at = w->p->heap.attributes;
    nytp_chunk chunk = {.tag = NYTP_ATTRIBUTE};
    while (at != NULL && *at != '\0') {
        const size_t key = strcspn(at, "="), line = strcspn(at, "\n");
        chunk.attribute.key = (nytp_str){at, key, false};
        chunk.attribute.value = (nytp_str){at + key + 1, line - key - 1, false};
        put(w, &chunk);
        at += line + 1;
    }
}

static void write_header(writing *w)
{
    const nytp_chunk format = {.tag = NYTP_VERSION, .version = {5, 0}};
    nytp_chunk chunk = {.tag = NYTP_COMMENT};
    chunk.comment.text = nytp_str_of(" Perl profile of memory, written by Devel::NYTProf");
    put(w, &format);
    put(w, &chunk);
    write_noted(w);
    put_number(w, NYTP_ATTRIBUTE, "ticks_per_sec", TICKS_PER_S);
    put_setting(w, NYTP_ATTRIBUTE, "unit", "bytes");
    put_setting(w, NYTP_ATTRIBUTE, "memory_of", prof_heap_file_names[w->part]);
    put_number(w, NYTP_ATTRIBUTE, "sampled_bytes", prof_samples_rate());
    put_number(w, NYTP_OPTION, "subs", 1);
    put_number(w, NYTP_OPTION, "stmts", 1);
    put_number(w, NYTP_OPTION, "calls", 2);
    nytp_writer_compress(w->writer);
    chunk = (nytp_chunk){.tag = NYTP_PID_START};
    chunk.pid_start.pid = (uint32_t)w->p->process.pid;
    chunk.pid_start.parent = w->p->session.parent;
    chunk.pid_start.time_s = w->p->session.started_s;
    put(w, &chunk);
}

/* ---- what is used */

/* A string eval needs the file that it was done in. */
static void use_file(writing *w, uint32_t fid)
{
    while (fid != 0 && !w->has_file[fid]) {
        w->has_file[fid] = true;
        fid = fid != w->view->unknown_fid ? w->p->files.at[fid - 1].eval_fid : 0;
    }
}

static void use_sub(writing *w, uint32_t sub)
{
    w->has_sub[sub] = true;
    use_file(w, w->p->subs.at[sub].info_fid);
}

static void note_used(writing *w)
{
    const prof_heap_view *v = w->view;
    for (uint32_t n = 0; n < v->heap.site_count; n++)
        if (rounded(w, &v->sites[n]).bytes > 0)
            use_file(w, v->sites[n].fid);
    for (uint32_t n = 1; n < v->heap.node_count; n++) {
        if (w->all[n].bytes == 0)
            continue;
        use_file(w, v->calls[n].fid);
        use_sub(w, v->calls[n].callee);
        use_sub(w, v->calls[n].caller);
        w->is_called[v->calls[n].callee] = true;
    }
}

static void write_files(writing *w)
{
    const uint32_t unknown_fid = w->view->unknown_fid;
    nytp_chunk chunk = {.tag = NYTP_NEW_FID};
    chunk.new_fid.fid = unknown_fid;
    chunk.new_fid.flags = NYTP_FID_IS_FAKE | NYTP_FID_VIA_STMT;
    chunk.new_fid.name = nytp_str_of("/unknown-place");
    if (w->has_file[unknown_fid])
        put(w, &chunk);
    for (uint32_t fid = 1; fid < unknown_fid; fid++) {
        chunk = prof_file_chunk(&w->p->files, fid);
        if (w->has_file[fid])
            put(w, &chunk);
    }
}

/* A sub without a place is a built-in, an xsub, or stands for what is not a call. */
static void write_subs(writing *w)
{
    for (uint32_t n = 0; n < prof_sub_count(&w->p->subs); n++) {
        const prof_sub *sub = &w->p->subs.at[n];
        nytp_chunk chunk = {.tag = NYTP_SUB_INFO};
        chunk.sub_info.fid = sub->info_fid;
        chunk.sub_info.name = prof_sub_name(&w->p->subs, n);
        chunk.sub_info.first_line = sub->info_first;
        chunk.sub_info.last_line = sub->info_last;
        if (w->has_sub[n] && sub->info_fid != 0)
            put(w, &chunk);
        chunk = (nytp_chunk){.tag = NYTP_SUB_CALLERS};
        chunk.sub_callers.called = prof_sub_name(&w->p->subs, n);
        if (w->is_called[n] && (sub->xsub || sub->info_fid == 0))
            put(w, &chunk);
    }
}

/* ---- stacks */

/* A TIME_LINE holds at most INT32_MAX bytes. */
static void write_site(writing *w, const prof_heap_written *site)
{
    const nytp_chunk discount = {.tag = NYTP_DISCOUNT};
    const sums s = rounded(w, site);
    char value[160];
    my_snprintf(value, sizeof value, "%" PRIu64 " %s", s.blocks, site->kind);
    if (s.bytes > 0)
        put_setting(w, NYTP_ATTRIBUTE, "memory", value);
    for (uint64_t left = s.bytes; left > 0;) {
        const uint64_t bytes = left < INT32_MAX ? left : INT32_MAX;
        nytp_chunk chunk = {.tag = NYTP_TIME_LINE};
        chunk.time.ticks = (int32_t)bytes;
        chunk.time.fid = site->fid;
        chunk.time.line = site->fid != w->view->unknown_fid ? site->of->place.line : 1;
        if (left < s.bytes)
            put(w, &discount);
        put(w, &chunk);
        left -= bytes;
    }
}

static void enter(writing *w, uint32_t node)
{
    const prof_heap_view *v = w->view;
    if (node > 0) {
        nytp_chunk chunk = {.tag = NYTP_SUB_ENTRY};
        chunk.sub_entry.fid = v->calls[node].fid;
        chunk.sub_entry.line = v->calls[node].line;
        put(w, &chunk);
        w->open[v->calls[node].callee]++;
    }
    for (uint32_t n = v->first_site[node]; n < v->first_site[node + 1]; n++)
        write_site(w, &v->sites[n]);
}

static void leave(writing *w, uint32_t node, uint32_t depth)
{
    const prof_heap_call *call = &w->view->calls[node];
    const uint32_t recursion = --w->open[call->callee];
    nytp_chunk chunk = {.tag = NYTP_SUB_RETURN};
    chunk.sub_return.depth = depth;
    chunk.sub_return.incl_ticks = (double)w->all[node].bytes;
    chunk.sub_return.excl_ticks = (double)w->own[node].bytes;
    chunk.sub_return.name = call->name;
    put(w, &chunk);
    const uint32_t arc = prof_arc_find(&w->arcs, call->caller, call->callee, call->fid, call->line);
    prof_arc_add(&w->arcs, arc, recursion, w->all[node].blocks, (int64_t)w->all[node].bytes,
                 (int64_t)w->own[node].bytes);
}

/* Visits the tree without recursion, as it may be deep and the C stack that of a coroutine. */
static void write_stacks(writing *w)
{
    const prof_heap_view *v = w->view;
    uint32_t node = 0, depth = 0;
    memcpy(w->next, v->first, v->heap.node_count * sizeof *w->next);
    enter(w, 0);
    for (;;) {
        if (w->next[node] < v->first[node + 1]) {
            const uint32_t child = v->order[w->next[node]++];
            if (w->all[child].bytes == 0)
                continue;
            node = child;
            depth++;
            enter(w, node);
        } else if (node > 0) {
            leave(w, node, depth--);
            node = v->calls[node].parent;
        } else {
            return;
        }
    }
}

static void put_of_arc(void *w, const nytp_chunk *chunk)
{
    put(w, chunk);
}

static void write_arcs(writing *w)
{
    for (uint32_t n = 0; n < w->arcs.count; n++)
        if (w->arcs.at[n].count > 0)
            prof_arc_chunks(w->p, &w->arcs.at[n], TICKS_PER_S, put_of_arc, w);
}

/* Only of what is live, and only types of which there are values. */
static void write_values(writing *w)
{
    const prof_values *values = &w->view->heap.values;
    for (int type = 0; type < NYTP_VALUE_TYPE_COUNT; type++) {
        char key[48];
        my_snprintf(key, sizeof key, NYTP_VALUES_KEY "%s", nytp_value_types[type]);
        if (w->part == PROF_HEAP_LIVE && values->count[type] > 0)
            put_number(w, NYTP_ATTRIBUTE, key, (double)values->count[type]);
    }
}

static void write_end(writing *w, double end_s)
{
    nytp_chunk chunk = {.tag = NYTP_PID_END};
    write_values(w);
    put_number(w, NYTP_ATTRIBUTE, "heap_samples", (double)w->samples);
    put_number(w, NYTP_ATTRIBUTE, "peak_bytes", w->view->peak_bytes);
    put_number(w, NYTP_ATTRIBUTE, "cumulative_overhead_ticks", 0);
    chunk.pid_end.pid = (uint32_t)w->p->process.pid;
    chunk.pid_end.time_s = end_s;
    put(w, &chunk);
}

static void writing_free(writing *w)
{
    free(w->own);
    free(w->all);
    free(w->next);
    free(w->open);
    free(w->has_file);
    free(w->has_sub);
    free(w->is_called);
    prof_arcs_free(&w->arcs);
}

int prof_heap_profile_write(prof *p, const prof_heap_view *view, prof_heap_part part, nytp_writer *writer,
                            double end_s)
{
    const uint32_t nodes = view->heap.node_count, subs = prof_sub_count(&p->subs);
    writing w = {.p = p, .view = view, .part = part, .writer = writer};
    w.own = prof_alloc(nodes * sizeof *w.own);
    w.all = prof_alloc(nodes * sizeof *w.all);
    w.next = prof_alloc(nodes * sizeof *w.next);
    w.open = prof_alloc(subs * sizeof *w.open);
    w.has_file = prof_alloc((view->unknown_fid + 1) * sizeof *w.has_file);
    w.has_sub = prof_alloc(subs * sizeof *w.has_sub);
    w.is_called = prof_alloc(subs * sizeof *w.is_called);
    add_up(&w);
    const bool is_empty = nodes == 0 || w.all[0].bytes == 0;
    if (!is_empty) {
        note_used(&w);
        write_header(&w);
        write_files(&w);
        write_stacks(&w);
        write_subs(&w);
        write_arcs(&w);
        write_end(&w, end_s);
    }
    writing_free(&w);
    return is_empty ? 1 : nytp_writer_finish(writer);
}
