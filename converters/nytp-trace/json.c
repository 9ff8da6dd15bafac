/* Chrome's trace events, one on each line. */
#include "base/json.h"
#include "trace.h"

#include <glib.h>
#include <inttypes.h>

enum { PHASES = 0 /* the thread that shows the phases; calls have the pid as theirs */ };

typedef struct json {
    FILE *out;
    nytp_frames *frames;
    bool any;
    uint32_t pid;
    int64_t last_ns[2]; /* of the calls, and of the phases */
} json;

static void *begin(FILE *out, nytp_frames *frames)
{
    json *j = g_new0(json, 1);
    *j = (json){.out = out, .frames = frames};
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
    return j;
}

static void begin_event(json *j, char type, uint32_t tid)
{
    fprintf(j->out, "%s\n{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"name\":", j->any ? "," : "", type, j->pid,
            tid);
    j->any = true;
}

static void name_track(json *j, const char *what, uint32_t tid, nytp_str name)
{
    fprintf(j->out,
            "%s\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":", j->any ? "," : "",
            j->pid, tid, what);
    nytp_json_string(j->out, name);
    fputs("}}", j->out);
    j->any = true;
}

static void process(void *writer, uint32_t number, const nytp_process_of_calls *p)
{
    json *j = writer;
    j->pid = p->process.pid != 0 ? p->process.pid : number + 1;
    j->last_ns[0] = j->last_ns[1] = -1;
    name_track(j, "process_name", j->pid, p->application);
    name_track(j, "thread_name", j->pid, (nytp_str){"calls", 5, true});
    name_track(j, "thread_name", PHASES, (nytp_str){"compile phase", 13, true});
}

/* Readers sort the begins and the ends of a thread by time, so no two events of it may have the same.
 * Microseconds with three decimals, by whole numbers: a double would not hold them. */
static void write_event(json *j, char type, bool is_phase, nytp_str name, int64_t at_ns)
{
    int64_t ns = MAX(at_ns, j->last_ns[is_phase] + 1);
    j->last_ns[is_phase] = ns;
    begin_event(j, type, is_phase ? PHASES : j->pid);
    nytp_json_string(j->out, name);
    fprintf(j->out, ",\"cat\":\"perl\",\"ts\":%" PRId64 ".%03d}", ns / 1000, (int)(ns % 1000));
}

static void enter(void *writer, uint32_t frame, int64_t at_ns)
{
    json *j = writer;
    write_event(j, 'B', false, nytp_frames_get(j->frames, frame).name, at_ns);
}

static void leave(void *writer, uint32_t frame, int64_t at_ns)
{
    json *j = writer;
    write_event(j, 'E', false, nytp_frames_get(j->frames, frame).name, at_ns);
}

static const nytp_str phase_name = {"BEGIN blocks", 12, true};

static void begin_phase(void *writer, int64_t at_ns)
{
    write_event(writer, 'B', true, phase_name, at_ns);
}

static void end_phase(void *writer, int64_t at_ns)
{
    write_event(writer, 'E', true, phase_name, at_ns);
}

static void end(void *writer)
{
    json *j = writer;
    fputs("\n]}\n", j->out);
    g_free(j);
}

const trace_format trace_json = {begin, process, enter, leave, begin_phase, end_phase, end};
