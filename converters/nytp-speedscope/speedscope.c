#include "speedscope.h"

#include "base/str.h"
#include "base/ticks.h"
#include "calls/process_calls.h"
#include "export/json.h"
#include "model/grow.h"

#include <glib.h>
#include <math.h>
#include <string.h>

typedef struct writing {
    FILE *out;
    nytp_frames *frames;
    unsigned unit, decimals;
    bool any_profile, any_event;
    GArray *open;         /* uint32_t: frames that are open, outermost first, by their numbers in the file */
    GArray *used;         /* uint32_t: the frames of the file, in the order of their numbers */
    GArray *number_of;    /* uint32_t, by frame: its number + 1; 0: not used yet */
    bool counts_calls;    /* values are calls, or samples */
    double sum;           /* of the current profile, ns or calls; negative times make it fall */
    int64_t at;           /* the same, whole and never falling */
    nytp_measure measure; /* of the process */
} writing;

static void write_text(writing *w, const char *text)
{
    nytp_json_string(w->out, nytp_str_of(text));
}

static double smallest_per_base(const writing *w)
{
    return nytp_measure_smallest(&w->measure)->per_base;
}

/* Whole numbers of ns, and decimals of larger units. The ticks of several profiles may differ, so ticks are
 * those of the process. */
static void write_at(const writing *w)
{
    if (w->counts_calls || w->unit != NYTP_UNIT_TICKS)
        nytp_json_decimal(w->out, (uint64_t)w->at, w->counts_calls ? 0 : w->decimals);
    else
        fprintf(w->out, "%.0f", (double)w->at * w->measure.ticks_per_base / smallest_per_base(w));
}

static void write_event(writing *w, char type, uint32_t frame)
{
    static const char opens[] = ",\n{\"type\":\"O\",\"frame\":", closes[] = ",\n{\"type\":\"C\",\"frame\":";
    const char *head = type == 'O' ? opens : closes;
    fputs_unlocked(w->any_event ? head : head + 1, w->out); /* no comma before the first one */
    nytp_json_decimal(w->out, frame, 0);
    fputs_unlocked(",\"at\":", w->out);
    write_at(w);
    putc_unlocked('}', w->out);
    w->any_event = true;
}

static void close_to(writing *w, uint32_t depth)
{
    while (w->open->len > depth) {
        write_event(w, 'C', g_array_index(w->open, uint32_t, w->open->len - 1));
        g_array_set_size(w->open, w->open->len - 1);
    }
}

/* A profile has many subs that were not called, and that the file need not have. */
static uint32_t number_of(writing *w, uint32_t frame)
{
    if (frame >= w->number_of->len)
        g_array_set_size(w->number_of, frame + 1);
    uint32_t *number = &g_array_index(w->number_of, uint32_t, frame);
    if (*number == 0) {
        g_array_append_val(w->used, frame);
        *number = w->used->len;
    }
    return *number - 1;
}

static void open_frame(writing *w, uint32_t frame)
{
    uint32_t number = number_of(w, frame);
    write_event(w, 'O', number);
    g_array_append_val(w->open, number);
}

static void begin_profile(writing *w, const nytp_process_of_calls *p, const char *kind)
{
    w->measure = p->measure;
    const nytp_unit unit = nytp_measure_unit(&w->measure, nytp_units[w->unit]);
    w->decimals = (unsigned)fmax(0, round(log10(smallest_per_base(w) / unit.per_base)));
    const char *script = p->application.length > 0 ? p->application.bytes : "perl";
    g_autofree char *name = g_strdup_printf("%s (pid %u)%s", script, p->process.pid, kind);
    fprintf(w->out, "%s\n{\"type\":\"evented\",\"name\":", w->any_profile ? "," : "");
    write_text(w, name);
    fprintf(w->out, ",\"unit\":\"%s\",\"startValue\":0,\"events\":[",
            w->counts_calls ? "none" : unit.in_full);
    w->any_profile = true;
    w->any_event = false;
    w->sum = 0;
    w->at = 0;
}

static void end_profile(writing *w)
{
    close_to(w, 0);
    fputs("],\"endValue\":", w->out);
    write_at(w);
    putc('}', w->out);
}

static bool write_call(void *context, const nytp_call *call)
{
    writing *w = context;
    close_to(w, call->depth);
    open_frame(w, nytp_frames_of_shown(w->frames, call->name));
    w->sum += w->counts_calls ? (double)call->calls : call->excl_ticks;
    w->at = MAX(w->at, nytp_whole_ticks(round(w->sum)));
    return !ferror(w->out);
}

/* values: what the profile shows, as its title says it. */
static void write_tree(writing *w, const nytp_process_of_calls *p, nytp_calltree *tree, bool counts_calls,
                       const char *values)
{
    g_autofree char *kind = g_strdup_printf(", %s%s", values, counts_calls ? "" : " (merged)");
    w->counts_calls = counts_calls;
    begin_profile(w, p, kind);
    nytp_calltree_walk(tree, write_call, w);
    end_profile(w);
}

/* waiting: NULL if the process did not wait. */
static void write_stacks(writing *w, const nytp_process_of_calls *p, nytp_calltree *tree,
                         nytp_calltree *waiting)
{
    write_tree(w, p, tree, false, p->measure.noun);
    write_tree(w, p, tree, true, nytp_measure_count(&p->measure));
    if (waiting != NULL)
        write_tree(w, p, waiting, false, "waiting");
}

static void write_trees(writing *w, nytp_process_calls *calls, const speedscope_options *options,
                        uint64_t *cut)
{
    size_t count;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(calls, &count);
    nytp_process_trees_find_waiting(calls);
    *cut = nytp_process_trees_prune(calls, options->min, options->max_depth);
    for (size_t i = 0; i < count; i++)
        if (nytp_process_tree(calls, i) != NULL)
            write_stacks(w, &processes[i], nytp_process_tree(calls, i), nytp_process_waiting_tree(calls, i));
}

static void write_timeline(writing *w, nytp_process_calls *calls, const speedscope_options *options,
                           uint64_t *cut)
{
    size_t count;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(calls, &count);
    nytp_course *course = nytp_process_course_get(calls);
    nytp_course_mark mark;
    uint32_t stack = 0;
    int64_t begin_ticks = 0;
    nytp_course_prune(course, 0, options->max_depth);
    while (nytp_course_next(course, &mark) && !ferror(w->out)) {
        if (mark.stack != stack) {
            if (stack != 0)
                end_profile(w);
            stack = mark.stack;
            begin_ticks = mark.at_ticks;
            begin_profile(w, &processes[stack - 1], "");
        }
        w->at = nytp_whole_ticks(
            round((double)(mark.at_ticks - begin_ticks) * smallest_per_base(w) / w->measure.ticks_per_base));
        if (mark.enters)
            open_frame(w, mark.sub);
        else
            close_to(w, mark.depth);
    }
    if (stack != 0)
        end_profile(w);
    *cut = nytp_course_too_deep(course);
}

/* The app refuses a file without a profile. */
static void write_empty_profile(writing *w, const nytp_process_calls *calls)
{
    const nytp_process_of_calls none = {.application = {"", 0, true}, .measure = nytp_measure_new()};
    size_t count;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(calls, &count);
    begin_profile(w, count > 0 ? &processes[0] : &none, "");
    end_profile(w);
}

static void write_frame(writing *w, uint32_t number)
{
    nytp_frame frame = nytp_frames_get(w->frames, g_array_index(w->used, uint32_t, number));
    fprintf(w->out, "%s\n{\"name\":", number > 0 ? "," : "");
    nytp_json_string(w->out, frame.name);
    if (frame.file.length > 0) {
        fputs(",\"file\":", w->out);
        nytp_json_string(w->out, frame.file);
        fprintf(w->out, ",\"line\":%u", frame.first_line);
    }
    putc('}', w->out);
}

/* The frames come last, when all are known: members of an object have no order. */
int speedscope_write(nytp_process_calls *calls, const speedscope_options *options, FILE *out, uint64_t *cut)
{
    writing w = {.out = out, .frames = calls->frames, .unit = options->unit};
    w.open = NYTP_ARRAY(uint32_t);
    w.used = NYTP_ARRAY(uint32_t);
    w.number_of = NYTP_ZEROED_ARRAY(uint32_t);
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
          "\"exporter\":\"nytp-speedscope@" NYTP_VERSION_STRING "\",\"profiles\":[",
          out);
    if (options->timeline)
        write_timeline(&w, calls, options, cut);
    else
        write_trees(&w, calls, options, cut);
    if (!w.any_profile)
        write_empty_profile(&w, calls);
    fputs("],\n\"shared\":{\"frames\":[", out);
    for (uint32_t i = 0; i < w.used->len; i++)
        write_frame(&w, i);
    fputs("]}}\n", out);
    g_array_free(w.open, TRUE);
    g_array_free(w.used, TRUE);
    g_array_free(w.number_of, TRUE);
    return options->timeline ? nytp_course_error(nytp_process_course_get(calls)) : 0;
}
