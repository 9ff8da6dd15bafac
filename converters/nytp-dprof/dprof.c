#include "dprof.h"

#include "base/shown.h"
#include "calls/course.h"
#include "model/display.h"
#include "model/names.h"
#include "model/package.h"

#include <glib.h>
#include <math.h>
#include <string.h>

struct dprof {
    nytp_names *names;
    nytp_events *events;
    nytp_sink sink;
    nytp_course *course;
    double start_s, end_s; /* the first start and the last end of a process; NaN: there was none */
};

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_course_add_return(((dprof *)sink)->course, call->sub, call->depth, call->excl_ticks, 0);
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    dprof *d = sink;
    if (chunk->tag == NYTP_PID_END) {
        d->end_s = fmax(d->end_s, chunk->pid_end.time_s);
        return;
    }
    d->start_s = fmin(d->start_s, chunk->pid_start.time_s); /* fmin() ignores NaN */
    nytp_course_end_stack(d->course);
}

dprof *dprof_new(void)
{
    dprof *d = g_new0(dprof, 1);
    d->sink = (nytp_sink){.on_call = on_call,
                          .on_chunk = on_chunk,
                          .tags = nytp_tag_bit(NYTP_PID_START) | nytp_tag_bit(NYTP_PID_END)};
    d->names = nytp_names_new();
    d->events = nytp_events_new(d->names);
    nytp_events_add_sink(d->events, &d->sink, d);
    d->course = nytp_course_new(false);
    d->start_s = d->end_s = NAN;
    return d;
}

void dprof_free(dprof *d)
{
    nytp_events_free(d->events);
    nytp_names_free(d->names);
    nytp_course_free(d->course);
    g_free(d);
}

void dprof_totals(const dprof *d, uint64_t *calls, uint32_t *subs)
{
    int64_t ticks;
    nytp_course_totals(d->course, calls, &ticks);
    *subs = nytp_names_count(d->names);
}

nytp_events *dprof_events(dprof *d)
{
    return d->events;
}

/* Writes a character, or a byte of Latin-1, as UTF-8 or as escapes. */
static void escape_character(FILE *out, const char *bytes, size_t length, uint32_t character)
{
    bool is_latin1 = length == 1 && character >= 0x80;
    const unsigned char converted[] = {0xC0 | (unsigned char)character >> 6, 0x80 | (character & 0x3F)};
    const unsigned char *at = is_latin1 ? converted : (const unsigned char *)bytes;
    bool escaped = character <= ' ' || character == '%' || nytp_is_shown_escaped(character);
    for (size_t i = 0; i < (is_latin1 ? sizeof converted : length); i++)
        fprintf(out, escaped ? "%%%02X" : "%c", at[i]);
}

static void escape_part(FILE *out, const char *at, const char *end, bool latin1)
{
    if (at == end)
        putc('%', out);
    while (at < end) {
        uint32_t character = (unsigned char)*at;
        size_t length = latin1 ? 1 : nytp_utf8_read(at, end, &character);
        length += length == 0; /* the parts of valid UTF-8 are valid: they end at a colon */
        escape_character(out, at, length, character);
        at += length;
    }
}

/* Writes "PACKAGE NAME" for the name of a sub. To dprofpp each ends at a blank, so blanks, control characters
 * (and what else base/shown.h escapes) and % are written as in URLs: %20. An empty package or name becomes a
 * single %. A name that is not valid UTF-8 is read as Latin-1 and converted to UTF-8. */
static void escape_name(FILE *out, nytp_str name)
{
    const char *colons = nytp_last_colons(name), *end = name.bytes + name.length;
    bool latin1 = !nytp_name_is_utf8(name);
    if (colons != NULL)
        escape_part(out, name.bytes, colons, latin1);
    else
        fputs("main", out);
    putc(' ', out);
    escape_part(out, colons != NULL ? colons + 2 : name.bytes, end, latin1);
}

/* Returns how long the program ran, which is at least as long as its calls took. */
static double run_ticks(const dprof *d, int64_t calls_ticks)
{
    double ticks = (d->end_s - d->start_s) * nytp_events_measure(d->events)->ticks_per_base;
    return isfinite(ticks) ? fmax(rint(ticks), (double)calls_ticks) : (double)calls_ticks;
}

/* The overhead is zero because NYTProf has subtracted it. The time counts as user time, which dprofpp shows
 * by default. */
static void write_head(const dprof *d, FILE *out)
{
    uint64_t calls;
    int64_t ticks;
    nytp_course_totals(d->course, &calls, &ticks);
    double ran = run_ticks(d, ticks);
    fprintf(out,
            "#fOrTyTwO\n"
            "$hz=%.17g;\n"
            "$XS_VERSION='DProf 20110802.00';\n"
            "# All values are given in HZ\n"
            "$over_utime=0; $over_stime=0; $over_rtime=0;\n"
            "$over_tests=10000;\n"
            "$rrun_utime=%.0f; $rrun_stime=0; $rrun_rtime=%.0f;\n"
            "$total_marks=%" G_GUINT64_FORMAT "\n"
            "\n"
            "PART2\n",
            nytp_events_measure(d->events)->ticks_per_base, ran, ran, 2 * calls);
}

typedef struct writing {
    FILE *out;
    const nytp_names *names;
    uint32_t *ids;    /* of subs; 0: not defined yet */
    uint32_t next_id; /* ids begin with 2, as in Devel::DProf */
    int64_t at_ticks; /* of the previous mark */
} writing;

static void write_mark(FILE *out, char mark, uint32_t id)
{
    char line[16], *at = line + sizeof line;
    *--at = '\n';
    for (; id > 0; id >>= 4)
        *--at = "0123456789abcdef"[id & 0xF];
    *--at = ' ';
    *--at = mark;
    fwrite_unlocked(at, 1, (size_t)(line + sizeof line - at), out);
}

static void define(writing *w, uint32_t sub)
{
    w->ids[sub] = w->next_id++;
    fprintf(w->out, "& %x ", w->ids[sub]);
    escape_name(w->out, nytp_names_get(w->names, sub));
    putc('\n', w->out);
}

static void write_next(writing *w, const nytp_course_mark *mark)
{
    int64_t ticks = mark->at_ticks - w->at_ticks;
    if (ticks > 0)
        fprintf(w->out, "@ %" G_GINT64_FORMAT " 0 %" G_GINT64_FORMAT "\n", ticks, ticks);
    w->at_ticks = mark->at_ticks;
    if (w->ids[mark->sub] == 0)
        define(w, mark->sub);
    write_mark(w->out, mark->enters ? '+' : '-', w->ids[mark->sub]);
}

int dprof_write(dprof *d, FILE *out)
{
    writing w = {
        .out = out, .names = d->names, .ids = g_new0(uint32_t, nytp_names_count(d->names)), .next_id = 2};
    nytp_course_mark mark;
    write_head(d, out);
    while (nytp_course_next(d->course, &mark))
        write_next(&w, &mark);
    g_free(w.ids);
    return nytp_course_error(d->course);
}
