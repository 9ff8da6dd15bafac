#include "trace.h"

#include "export/json.h"

#include <glib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PHASES = 0 /* the thread that shows the phases; calls have the pid as theirs */ };
enum { EVENT_HEAD = 80 };

typedef struct json {
    FILE *out;
    nytp_frames *frames;
    char **names; /* by frame: as strings of JSON, with their arguments; NULL: not needed yet */
    uint32_t name_count;
    bool any;
    uint32_t pid;
    int64_t last_ns[2];                              /* of the calls, and of the phases */
    char begins[2][EVENT_HEAD], ends[2][EVENT_HEAD]; /* the lines of both, up to the name */
} json;

static void *begin(FILE *out, nytp_frames *frames)
{
    json *j = g_new0(json, 1);
    *j = (json){.out = out, .frames = frames, .name_count = nytp_frames_count(frames)};
    j->names = g_new0(char *, j->name_count);
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
    return j;
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

static void set_head(char head[EVENT_HEAD], char type, uint32_t pid, uint32_t tid)
{
    snprintf(head, EVENT_HEAD, ",\n{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"name\":", type, pid, tid);
}

static void process(void *writer, uint32_t number, uint32_t pid, nytp_str application)
{
    json *j = writer;
    (void)number;
    j->pid = pid;
    j->last_ns[0] = j->last_ns[1] = -1;
    for (int is_phase = 0; is_phase < 2; is_phase++) {
        set_head(j->begins[is_phase], 'B', j->pid, is_phase ? PHASES : j->pid);
        set_head(j->ends[is_phase], 'E', j->pid, is_phase ? PHASES : j->pid);
    }
    name_track(j, "process_name", j->pid, application);
    name_track(j, "thread_name", j->pid, (nytp_str){"calls", 5, true});
    name_track(j, "thread_name", PHASES, (nytp_str){"compile phase", 13, true});
}

/* Readers sort the begins and the ends of a thread by time, so no two events of it may have the same. */
static void write_event(json *j, const char *head, bool is_phase, const char *name, int64_t at_ns)
{
    static const char category[] = ",\"cat\":\"perl\",\"ts\":";
    int64_t ns = MAX(at_ns, j->last_ns[is_phase] + 1);
    j->last_ns[is_phase] = ns;
    fwrite_unlocked(head, 1, strlen(head), j->out);
    fwrite_unlocked(name, 1, strlen(name), j->out);
    fwrite_unlocked(category, 1, sizeof category - 1, j->out);
    nytp_json_decimal(j->out, (uint64_t)ns, 3); /* microseconds */
    putc_unlocked('}', j->out);
}

static void write_counter(const json *j, const char *name, const char *series, int64_t at_ns, int64_t value)
{
    fprintf(j->out, ",\n{\"ph\":\"C\",\"pid\":%u,\"name\":\"%s\",\"ts\":", j->pid, name);
    nytp_json_decimal(j->out, (uint64_t)at_ns, 3); /* microseconds */
    fprintf(j->out, ",\"args\":{\"%s\":%" PRId64 "}}", series, value);
}

static void memory(void *writer, int64_t at_ns, int64_t rss_bytes, int64_t values)
{
    const json *j = writer;
    write_counter(j, "memory", "RSS bytes", at_ns, rss_bytes);
    if (values > 0)
        write_counter(j, "values", "values", at_ns, values);
}

/* Requests overlap each other, and calls: each has an id. */
static void write_async(const json *j, char type, uint64_t number, nytp_str name, int64_t at_ns)
{
    fprintf(j->out, ",\n{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"id\":\"%" PRIu64 "\",\"name\":", type, j->pid,
            j->pid, number);
    nytp_json_string(j->out, name);
    fputs(",\"cat\":\"request\",\"ts\":", j->out);
    nytp_json_decimal(j->out, (uint64_t)at_ns, 3); /* microseconds */
    putc('}', j->out);
}

static void request(void *writer, uint64_t number, nytp_str name, int64_t begin_ns, int64_t end_ns)
{
    const json *j = writer;
    write_async(j, 'b', number, name, begin_ns);
    write_async(j, 'e', number, name, end_ns);
}

static const char *name_of(json *j, uint32_t frame)
{
    if (j->names[frame] == NULL) {
        size_t size;
        FILE *out = open_memstream(&j->names[frame], &size);
        const nytp_frame f = nytp_frames_get(j->frames, frame);
        nytp_json_string(out, f.name);
        if (f.trace.length > 0)
            fprintf(out, ",\"args\":{\"trace_id\":\"%.*s\",\"span_id\":\"%.*s\"}", (int)f.trace.length,
                    f.trace.bytes, (int)f.span.length, f.span.bytes);
        fclose(out);
    }
    return j->names[frame];
}

static void call(void *writer, bool begins, uint32_t frame, int64_t at_ns)
{
    json *j = writer;
    write_event(j, (begins ? j->begins : j->ends)[false], false, name_of(j, frame), at_ns);
}

static void phase(void *writer, bool begins, int64_t at_ns)
{
    json *j = writer;
    write_event(j, (begins ? j->begins : j->ends)[true], true, "\"BEGIN blocks\"", at_ns);
}

static void end(void *writer)
{
    json *j = writer;
    fputs("\n]}\n", j->out);
    for (uint32_t i = 0; i < j->name_count; i++)
        free(j->names[i]);
    g_free(j->names);
    g_free(j);
}

const trace_format trace_json = {begin, process, memory, request, call, phase, end};
