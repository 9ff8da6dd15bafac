#include "pprof.h"

#include "base/ticks.h"
#include "model/grow.h"

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
    int first_value;    /* which two of the values its stacks have */
    bool is_memory;     /* values are blocks and bytes, not ns and calls */
    double sum_ns;      /* of the samples; negative times make it fall */
    int64_t written_ns; /* the same, whole and never falling */
    uint64_t samples;
} writing;

static uint32_t location_of(writing *w, uint32_t frame, uint32_t line)
{
    frame = nytp_frames_without_trace(w->calls->frames, frame);
    place p = {frame, line != 0 ? line : nytp_frames_get(w->calls->frames, frame).first_line};
    return nytp_names_intern(w->places, &(nytp_str){(const char *)&p, sizeof p, false}, NULL) + 1;
}

/* The innermost label, the innermost span of the stack, and the ids of the innermost one that has them. */
static pprof_labels labels_of(const writing *w)
{
    pprof_labels labels = {.pid = w->pid};
    for (guint i = w->path->len; i-- > 0;) {
        const nytp_frame f =
            nytp_frames_get(w->calls->frames, g_array_index(w->path, nytp_lined_frame, i).frame);
        nytp_str *to = f.label_kind == NYTP_LABEL_SPAN ? &labels.route : &labels.label;
        if (f.label_kind != NYTP_LABEL_NONE && to->length == 0)
            *to = f.label;
        if (labels.trace.length == 0) {
            labels.trace = f.trace;
            labels.span = f.span;
        }
    }
    return labels;
}

/* A frame that stands for a kind of memory (events/kinds.c) becomes a label. */
static nytp_str kind_of(const writing *w)
{
    const nytp_lined_frame *last = &g_array_index(w->path, nytp_lined_frame, w->path->len - 1);
    const nytp_str name = nytp_frames_get(w->calls->frames, last->frame).name;
    if (!w->is_memory || name.length < 2 || name.bytes[0] != '[' || name.bytes[name.length - 1] != ']')
        return (nytp_str){"", 0, true};
    return (nytp_str){name.bytes + 1, name.length - 2, name.utf8};
}

/* The line of a leaf is not known: pprof shows the first line of the sub. */
static void write_stack(writing *w, uint64_t count, int64_t amount)
{
    uint32_t line = 0;
    pprof_labels labels = labels_of(w);
    labels.kind = kind_of(w);
    int64_t values[PPROF_VALUES_MAX] = {0};
    values[w->first_value] = w->is_memory ? (int64_t)count : amount;
    values[w->first_value + 1] = w->is_memory ? amount : (int64_t)count;
    pprof_begin_sample(&w->m);
    for (guint i = w->path->len; i-- > 0;) {
        const nytp_lined_frame lined = g_array_index(w->path, nytp_lined_frame, i);
        const bool is_kind = i + 1 == w->path->len && labels.kind.length > 0;
        if (!is_kind)
            pprof_add_location(&w->m, location_of(w, lined.frame, line));
        line = lined.line;
    }
    pprof_end_sample(&w->m, values, &labels);
    w->samples++;
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

/* Memory has no duration: pprof would compute rates. */
static pprof_times times_of(const nytp_process_of_calls *processes, size_t count, bool is_memory)
{
    pprof_times times = PPROF_NO_TIMES;
    for (size_t i = 0; i < count; i++)
        pprof_add_process(&times, processes[i].process.start_s, processes[i].process.end_s);
    if (is_memory)
        times.end_s = times.begin_s;
    return times;
}

/* The files of memory of one process have its number each. */
static bool several_pids(const nytp_process_of_calls *processes, size_t count)
{
    bool several = false;
    for (size_t i = 1; i < count; i++)
        several |= processes[i].process.pid != processes[0].process.pid || processes[i].memory_of == NULL;
    return several;
}

/* The parts of memory, each with the names of its two values. inuse and alloc are Go's. */
static const struct {
    const char *of, *objects, *space;
} parts[] = {{"alloc", "alloc_objects", "alloc_space"},
             {"live", "inuse_objects", "inuse_space"},
             {"peak", "peak_objects", "peak_space"}};

static bool is_part(const nytp_process_of_calls *process, size_t part)
{
    return process->memory_of != NULL && strcmp(process->memory_of, parts[part].of) == 0;
}

/* Sets first_value, by part, to where its values are. What is live is the default, or else the first. */
static pprof_types types_of_memory(const nytp_process_of_calls *processes, size_t count, int *first_value)
{
    const double samples_per_byte = processes[0].measure.samples_per_base;
    pprof_types types = {.period_of = {"space", "bytes"},
                         .period = samples_per_byte > 0 ? (uint64_t)llround(1 / samples_per_byte) : 1};
    for (size_t part = 0; part < G_N_ELEMENTS(parts); part++) {
        bool is_there = false;
        for (size_t i = 0; i < count; i++)
            is_there |= is_part(&processes[i], part);
        if (!is_there)
            continue;
        first_value[part] = types.count;
        types.values[types.count++] = (pprof_type){parts[part].objects, "count"};
        types.values[types.count++] = (pprof_type){parts[part].space, "bytes"};
        if (types.shown == NULL || strcmp(parts[part].of, "live") == 0)
            types.shown = parts[part].space;
    }
    if (types.count == 0)
        types = (pprof_types){
            {{"objects", "count"}, {"space", "bytes"}}, 2, "space", types.period_of, types.period};
    return types;
}

static pprof_types types_of(const nytp_process_of_calls *processes, size_t count)
{
    const nytp_measure measure = count > 0 ? processes[0].measure : nytp_measure_new();
    return pprof_types_of_time(nytp_measure_count(&measure),
                               count > 0 && processes[0].is_cpu_time ? "cpu" : "wall", &measure);
}

pprof_written pprof_write_stacks(nytp_process_calls *calls, const pprof_options *options, FILE *out)
{
    size_t count;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(calls, &count);
    int first_value[G_N_ELEMENTS(parts)] = {0};
    writing w = {.calls = calls,
                 .path = NYTP_ARRAY(nytp_lined_frame),
                 .places = nytp_names_new(),
                 .is_memory = count > 0 && nytp_measure_is_bytes(&processes[0].measure)};
    const pprof_types types =
        w.is_memory ? types_of_memory(processes, count, first_value) : types_of(processes, count);
    pprof_message_init(&w.m, out);
    pprof_write_types(&w.m, &types);
    const uint32_t cut = nytp_process_trees_prune(calls, options->min, options->max_depth);
    for (w.process = 0; w.process < count; w.process++) {
        nytp_calltree *tree = nytp_process_tree(calls, w.process);
        w.pid = several_pids(processes, count) ? processes[w.process].process.pid : 0;
        for (size_t part = 0; part < G_N_ELEMENTS(parts); part++)
            if (is_part(&processes[w.process], part))
                w.first_value = first_value[part];
        if (tree != NULL)
            nytp_calltree_walk(tree, write_call, &w);
    }
    write_places(&w);
    const pprof_times times = times_of(processes, count, w.is_memory);
    pprof_write_end(&w.m, count > 0 ? processes[0].application : (nytp_str){"", 0, true}, &times,
                    options->now);
    pprof_message_finish(&w.m);
    nytp_names_free(w.places);
    g_array_free(w.path, TRUE);
    return (pprof_written){w.samples, cut};
}

/* ---- as many as Grafana Pyroscope accepts ---- */

#define FIRST_PERCENT 0.001

/* Writes all to memory. Returns the bytes, which the caller must free. */
static char *write_to_memory(nytp_process_calls *calls, const pprof_options *options, pprof_written *written,
                             size_t *size)
{
    char *bytes = NULL;
    FILE *memory = open_memstream(&bytes, size);
    if (memory == NULL)
        g_error("out of memory");
    const uint32_t cut = written->cut;
    *written = pprof_write_stacks(calls, options, memory);
    written->cut = MAX(written->cut, cut); /* deeper levels are there the first time only */
    if (fclose(memory) != 0)
        g_error("out of memory");
    return bytes;
}

/* Folded stacks do not come back, so the share below which they fold grows until the rest fits. */
pprof_written pprof_write_fitting(nytp_process_calls *calls, const pprof_options *options, FILE *out)
{
    const double all = 100;
    pprof_options now = *options;
    pprof_written written = {0};
    size_t size;
    char *bytes = write_to_memory(calls, &now, &written, &size);
    while ((written.samples > PPROF_FIT_SAMPLES || size > PPROF_FIT_BYTES) && now.min.percent < all) {
        free(bytes);
        now.min.percent = CLAMP(now.min.percent * 2, FIRST_PERCENT, all);
        bytes = write_to_memory(calls, &now, &written, &size);
    }
    fwrite(bytes, 1, size, out);
    free(bytes);
    return written;
}
