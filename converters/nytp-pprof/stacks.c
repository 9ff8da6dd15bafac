#include "stacks.h"

#include "message.h"
#include "base/ticks.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* A location is a frame and the line that runs in it: where it made the next call of the stack. */
typedef struct place {
    uint32_t frame, line;
} place;

typedef struct writing {
    pprof_message m;
    const nytp_process_calls *calls;
    size_t process;     /* index of the current one */
    GArray *path;       /* nytp_lined_frame: the current stack, outermost first */
    nytp_names *places; /* place, as bytes; its number + 1 is the id of its location */
    uint32_t pid;       /* the label; 0: there is one process */
    double sum_ns;      /* of the samples; negative times make it fall */
    int64_t written_ns; /* the same, whole and never falling */
} writing;

static uint32_t location_of(writing *w, uint32_t frame, uint32_t line)
{
    place p = {frame, line != 0 ? line : nytp_frames_get(w->calls->frames, frame).first_line};
    return nytp_names_intern(w->places, &(nytp_str){(const char *)&p, sizeof p, false}, NULL) + 1;
}

/* The innermost label and the innermost span of the stack. */
static pprof_labels labels_of(const writing *w)
{
    pprof_labels labels = {.pid = w->pid};
    for (guint i = w->path->len; i-- > 0;) {
        const nytp_frame f =
            nytp_frames_get(w->calls->frames, g_array_index(w->path, nytp_lined_frame, i).frame);
        nytp_str *to = f.label_kind == NYTP_LABEL_SPAN ? &labels.route : &labels.label;
        if (f.label_kind != NYTP_LABEL_NONE && to->length == 0)
            *to = f.label;
    }
    return labels;
}

/* The line of a leaf is not known: pprof shows the first line of the sub. */
static void write_stack(writing *w, uint64_t calls, int64_t ns)
{
    uint32_t line = 0;
    pprof_begin_sample(&w->m);
    for (guint i = w->path->len; i-- > 0;) {
        nytp_lined_frame lined = g_array_index(w->path, nytp_lined_frame, i);
        pprof_add_location(&w->m, location_of(w, lined.frame, line));
        line = lined.line;
    }
    const pprof_labels labels = labels_of(w);
    pprof_end_sample(&w->m, ns, calls, &labels);
}

static bool write_call(void *context, const nytp_call *call)
{
    writing *w = context;
    nytp_lined_frame lined = nytp_lined_frame_of(w->calls, w->process, call);
    g_array_set_size(w->path, call->depth);
    g_array_append_val(w->path, lined);
    w->sum_ns += call->excl_ticks;
    int64_t ns = MAX(0, nytp_add_ticks(nytp_whole_ticks(round(w->sum_ns)), -w->written_ns));
    w->written_ns += ns;
    if (call->calls > 0 || ns > 0)
        write_stack(w, call->calls, ns);
    return !ferror(w->m.proto.out);
}

static void write_places(writing *w)
{
    nytp_names *functions = nytp_names_new(); /* frame numbers, as bytes; the number + 1 is the id */
    for (uint32_t i = 0; i < nytp_names_count(w->places); i++) {
        place p;
        bool added;
        memcpy(&p, nytp_names_get(w->places, i).bytes, sizeof p);
        uint32_t id = 1 + nytp_names_intern(
                              functions, &(nytp_str){(const char *)&p.frame, sizeof p.frame, false}, &added);
        if (added) {
            nytp_frame frame = nytp_frames_get(w->calls->frames, p.frame);
            pprof_write_function(&w->m, id, frame.name, frame.file, frame.first_line);
        }
        pprof_write_location(&w->m, i + 1, id, p.line);
    }
    nytp_names_free(functions);
}

static pprof_times times_of(const nytp_process_of_calls *processes, size_t count)
{
    pprof_times times = PPROF_NO_TIMES;
    for (size_t i = 0; i < count; i++)
        pprof_add_process(&times, processes[i].process.start_s, processes[i].process.end_s);
    return times;
}

uint32_t pprof_write_stacks(nytp_process_calls *calls, const pprof_options *options, FILE *out)
{
    size_t count;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(calls, &count);
    writing w = {.calls = calls,
                 .path = g_array_new(FALSE, FALSE, sizeof(nytp_lined_frame)),
                 .places = nytp_names_new()};
    pprof_message_init(&w.m, out);
    const double sampled_hz = count > 0 ? processes[0].sampled_hz : 0;
    pprof_write_types(&w.m, sampled_hz > 0 ? "samples" : "calls",
                      count > 0 && processes[0].is_cpu_time ? "cpu" : "wall", sampled_hz);
    const uint32_t cut = nytp_process_trees_prune(calls, options->min_percent, options->max_depth);
    for (w.process = 0; w.process < count; w.process++) {
        nytp_calltree *tree = nytp_process_tree(calls, w.process);
        w.pid = count > 1 ? processes[w.process].process.pid : 0;
        if (tree != NULL)
            nytp_calltree_walk(tree, write_call, &w);
    }
    write_places(&w);
    const pprof_times times = times_of(processes, count);
    pprof_write_end(&w.m, count > 0 ? processes[0].application : (nytp_str){"", 0, true}, &times,
                    options->now);
    pprof_message_finish(&w.m);
    nytp_names_free(w.places);
    g_array_free(w.path, TRUE);
    return cut;
}
