#include "trace.h"

#include "base/labels.h"
#include "base/ticks.h"
#include "model/package.h"
#include "model/hashes.h"

#include <glib.h>
#include <math.h>

static const double most_ns = 0x1p62; /* of damaged profiles */

typedef struct writing {
    const trace_format *format;
    void *writer;
    nytp_frames *frames;
    const nytp_process_of_calls *processes;
    double first_s;       /* when the first of them began */
    uint32_t *pids;       /* of processes, as shown */
    const GArray *memory; /* nytp_memory_point */
    guint memory_at;      /* of them, the first one that was not written */
    nytp_process_requests *requests;
    uint64_t request_count; /* of those that were written */
    double least_s;         /* shorter ones are left out */
    uint32_t stack;         /* of the current process, from 1; 0: none yet */
    int64_t begin_ticks;    /* where it begins in the course */
    double offset_ns;       /* when it began */
    double ticks_per_sec;
    int64_t at_ns; /* of the last event */
    bool in_phase;
} writing;

/* The earliest start of all processes, or 0 where none is known. */
static double first_start_s(const nytp_process_of_calls *processes, size_t count)
{
    double first = HUGE_VAL;
    for (size_t i = 0; i < count; i++)
        if (isfinite(processes[i].process.start_s))
            first = fmin(first, processes[i].process.start_s);
    return isfinite(first) ? first : 0;
}

/* Returns a pid for each process, for the caller to free: viewers tell processes apart by these, but
 * processes of several machines or runs may have the same. Then the later ones get pids that none of them
 * has. */
static uint32_t *distinct_pids(const nytp_process_of_calls *processes, size_t count)
{
    uint32_t *pids = g_new0(uint32_t, count + 1), other = 0;
    g_autoptr(GHashTable) used = g_hash_table_new(nytp_hash_of_number, NULL);
    for (size_t i = 0; i < count; i++)
        other = MAX(other, processes[i].process.pid);
    for (size_t i = 0; i < count; i++) {
        pids[i] = processes[i].process.pid;
        while (pids[i] == 0 || !g_hash_table_add(used, GUINT_TO_POINTER(pids[i])))
            pids[i] = ++other;
    }
    return pids;
}

static void end_phase(writing *w)
{
    if (w->in_phase)
        w->format->phase(w->writer, false, w->at_ns);
    w->in_phase = false;
}

static int64_t whole_ns(double ns)
{
    return llround(fmin(fmax(ns, 0), most_ns));
}

static void begin_process(writing *w, uint32_t number)
{
    const nytp_process_of_calls *p = &w->processes[number];
    end_phase(w);
    w->ticks_per_sec = p->measure.ticks_per_base;
    w->offset_ns = (p->process.start_s - w->first_s) * 1e9;
    if (!(w->offset_ns >= 0 && w->offset_ns < most_ns))
        w->offset_ns = 0;
    w->format->process(w->writer, number, w->pids[number], p->application);
}

/* Returns the next point of memory if it is one of that process, or of one before it; NULL if not. */
static const nytp_memory_point *next_point(const writing *w, uint32_t process)
{
    const nytp_memory_point *next =
        w->memory_at < w->memory->len ? &g_array_index(w->memory, nytp_memory_point, w->memory_at) : NULL;
    return next != NULL && next->process <= process ? next : NULL;
}

static void write_memory(writing *w, uint32_t process)
{
    for (const nytp_memory_point *m; (m = next_point(w, process)) != NULL; w->memory_at++)
        w->format->memory(w->writer, whole_ns(w->offset_ns + m->s * 1e9), llround(m->rss_bytes),
                          llround(m->values));
}

static void write_requests(writing *w, uint32_t process)
{
    for (const nytp_process_request *r; (r = nytp_process_requests_next(w->requests, process)) != NULL;
         nytp_process_requests_skip(w->requests)) {
        const nytp_str name = nytp_frames_get(w->frames, r->frame).name;
        nytp_label label;
        const bool is_named = nytp_labels_split(NULL, name, &label);
        const double begin_ns = w->offset_ns + r->begin_s * 1e9;
        if (r->length_s >= w->least_s)
            w->format->request(w->writer, w->request_count++, is_named ? label.text : name,
                               whole_ns(begin_ns), whole_ns(begin_ns + r->length_s * 1e9));
    }
}

/* Returns the index of the first process up to that one that has memory or requests which were not written;
 * -1 if none has. */
static int64_t next_silent(const writing *w, uint32_t process)
{
    const nytp_memory_point *m = next_point(w, process);
    const nytp_process_request *r = nytp_process_requests_next(w->requests, process);
    const int64_t of_memory = m != NULL ? m->process : INT64_MAX;
    const int64_t of_request = r != NULL ? r->process : INT64_MAX;
    return m != NULL || r != NULL ? MIN(of_memory, of_request) : -1;
}

/* Begins the processes before a stack that have no calls, but memory or requests. */
static void write_silent(writing *w, uint32_t stack)
{
    for (int64_t process; stack > 0 && (process = next_silent(w, stack - 1)) >= 0;) {
        begin_process(w, (uint32_t)process);
        write_memory(w, (uint32_t)process);
        write_requests(w, (uint32_t)process);
    }
}

static void begin_stack(writing *w, const nytp_course_mark *mark)
{
    write_silent(w, mark->stack - 1);
    w->stack = mark->stack;
    w->begin_ticks = mark->stack_ticks;
    begin_process(w, mark->stack - 1);
    write_memory(w, mark->stack - 1);
    write_requests(w, mark->stack - 1);
}

static void write_mark(writing *w, const nytp_course_mark *mark)
{
    double ns = w->offset_ns + (double)(mark->at_ticks - w->begin_ticks) * 1e9 / w->ticks_per_sec;
    w->at_ns = whole_ns(ns);
    if (mark->enters && mark->depth == 0) {
        bool compiles = nytp_begin_block_length(nytp_frames_get(w->frames, mark->sub).name) > 0;
        if (!compiles)
            end_phase(w);
        else if (!w->in_phase)
            w->format->phase(w->writer, true, w->at_ns);
        w->in_phase = compiles;
    }
    w->format->call(w->writer, mark->enters, mark->sub, w->at_ns);
}

/* Ticks of the processes may differ: the finest ones count. */
static double finest_rate(const nytp_process_of_calls *processes, size_t count)
{
    double rate = 0;
    for (size_t i = 0; i < count; i++)
        rate = fmax(rate, processes[i].measure.ticks_per_base);
    return rate;
}

int trace_write(nytp_process_calls *calls, const trace_options *options, FILE *out, uint64_t *cut)
{
    size_t count;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(calls, &count);
    nytp_course *course = nytp_process_course_get(calls);
    writing w = {.format = options->json ? &trace_json : &trace_perfetto,
                 .frames = calls->frames,
                 .processes = processes,
                 .first_s = first_start_s(processes, count),
                 .memory = nytp_process_course_memory(calls)->points,
                 .requests = nytp_process_course_requests(calls),
                 .pids = distinct_pids(processes, count)};
    nytp_course_mark mark;
    uint64_t calls_in_all;
    int64_t ticks;
    w.writer = w.format->begin(out, calls->frames);
    nytp_course_totals(course, &calls_in_all, &ticks);
    const double rate = finest_rate(processes, count),
                 least_ticks = fmax(nytp_least_ticks(options->min, (double)ticks, rate), 0);
    w.least_s = rate > 0 ? least_ticks / rate : 0;
    nytp_course_prune(course, nytp_whole_ticks(ceil(least_ticks)), options->max_depth);
    while (nytp_course_next(course, &mark) && !ferror_unlocked(out)) {
        if (mark.stack != w.stack)
            begin_stack(&w, &mark);
        write_mark(&w, &mark);
    }
    end_phase(&w);
    write_silent(&w, (uint32_t)count);
    w.format->end(w.writer);
    g_free(w.pids);
    *cut = nytp_course_too_deep(course);
    const int error_number = nytp_process_requests_error(w.requests);
    return error_number != 0 ? error_number : nytp_course_error(course);
}
