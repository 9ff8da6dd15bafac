/* Stacks in the order of time: a line for each stretch of time in which a stack stays the same, for
 * flamegraph.pl --flamechart. */
#include "collapse.h"

#include "base/str.h"
#include "calls/process_calls.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
    const calls_options *options;
    FILE *out;
    nytp_frames *frames;
    calls_path path;    /* of the open calls */
    GString *held;      /* the stack whose time still grows */
    double begin_s;     /* of the process, in the time of all */
    double at_s;        /* up to where time has passed */
    double shown_s;     /* the time of all lines, with that of the stack that is held */
    int64_t written;    /* the same in units, without that one */
    double units_per_s; /* of what is written */
    double ticks_per_s; /* of the process */
} writing;

/* The lines add up to what the rounded sum is at each of them, so that none is wrong by more than one unit.
 */
static void write_held(writing *w)
{
    const int64_t units = (int64_t)round(w->shown_s * w->units_per_s);
    if (w->held->len > 0 && units > w->written) {
        fwrite(w->held->str, 1, w->held->len, w->out);
        if (w->options->unit == NYTP_UNIT_S)
            calls_write_value(w->options, (double)(units - w->written), w->out);
        else
            fprintf(w->out, " %" PRId64, units - w->written);
        putc('\n', w->out);
        w->written = units;
    }
}

/* Gives the time up to at_s to the stack of the open calls. */
static void pass(writing *w, double at_s)
{
    const double passed_s = at_s - w->at_s;
    w->at_s = at_s;
    if (passed_s <= 0 || w->path.text->len == 0)
        return;
    if (!g_string_equal(w->path.text, w->held)) {
        write_held(w);
        g_string_assign(w->held, w->path.text->str);
    }
    w->shown_s += passed_s;
}

static void enter(writing *w, const nytp_course_mark *mark)
{
    nytp_str frame = {.utf8 = true};
    char *bytes = calls_frame_name(NULL, nytp_frames_get(w->frames, mark->sub).name, &frame.length);
    frame.bytes = bytes;
    calls_path_enter(&w->path, mark->depth + w->options->root, frame);
    free(bytes);
}

static void take(writing *w, const nytp_course_mark *mark)
{
    pass(w, w->begin_s + (double)(mark->at_ticks - mark->stack_ticks) / w->ticks_per_s);
    if (mark->enters)
        enter(w, mark);
    else
        calls_path_leave(&w->path, mark->depth + w->options->root);
}

static void prune(nytp_course *course, const calls_options *options, double ticks_per_s)
{
    uint64_t calls;
    int64_t ticks;
    nytp_course_totals(course, &calls, &ticks);
    const double least_ticks = nytp_least_ticks(options->min, (double)ticks, ticks_per_s);
    nytp_course_prune(course, (int64_t)fmax(least_ticks, 0), options->max_depth);
}

int calls_write_in_time_order(const calls_options *options, nytp_process_calls *calls, FILE *out)
{
    size_t count;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(calls, &count);
    nytp_course *course = nytp_process_course_get(calls);
    writing w = {.options = options,
                 .out = out,
                 .frames = calls->frames,
                 .path = calls_path_new(options->kinds),
                 .held = g_string_new(NULL)};
    const double per_s = nytp_unit_per_s(options->unit);
    w.units_per_s = options->unit == NYTP_UNIT_S ? 1e9
                    : per_s > 0                  ? per_s
                    : count > 0                  ? processes[0].ticks_per_sec
                                                 : 1;
    uint32_t stack = 0;
    nytp_course_mark mark;
    if (options->root)
        calls_path_enter(&w.path, 0, nytp_str_of(NYTP_RUNTIME));
    prune(course, options, count > 0 ? processes[0].ticks_per_sec : 1);
    while (nytp_course_next(course, &mark) && !ferror(out)) {
        if (mark.stack != stack) {
            w.ticks_per_s = processes[mark.stack - 1].ticks_per_sec;
            w.begin_s = w.at_s;
            stack = mark.stack;
        }
        take(&w, &mark);
    }
    write_held(&w);
    g_string_free(w.held, TRUE);
    calls_path_clear(&w.path);
    return nytp_course_error(course);
}
