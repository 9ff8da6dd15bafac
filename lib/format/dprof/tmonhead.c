/* The header of a tmon.out: assignments in the syntax of perl, which are parsed and never evaluated. */
#include "format/dprof/tmonstate.h"

#include "base/str.h"
#include "base/ticks.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ';';
}

static const char *skip_separators(const char *at, const char *end)
{
    while (at < end && is_separator(*at))
        at++;
    return at;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_of_number(char c)
{
    return is_word(c) || c == '+' || c == '-' || c == '.';
}

/* One `$name=value`. */
typedef struct assignment {
    nytp_str name, value;
    const char *end; /* past the assignment; NULL if none */
} assignment;

/* Parses a value: 'quoted', "quoted" or a number. */
static void parse_value(assignment *a, const char *at, const char *end)
{
    bool quoted = at < end && (*at == '\'' || *at == '"');
    const char *start = at + quoted;
    const char *stop = start;
    if (quoted)
        stop = start < end ? memchr(start, *at, (size_t)(end - start)) : NULL;
    else
        while (stop < end && is_of_number(*stop))
            stop++;
    if (stop == NULL || (stop == start && !quoted))
        return;
    a->value = (nytp_str){start, (size_t)(stop - start), false};
    if (stop + quoted == end || is_separator(stop[quoted]))
        a->end = stop + quoted;
}

static assignment parse(const char *at, const char *end)
{
    assignment a = {0};
    if (at == end || *at++ != '$')
        return a;
    a.name.bytes = at;
    while (at < end && is_word(*at))
        at++;
    a.name.length = (size_t)(at - a.name.bytes);
    if (a.name.length > 0 && at < end && *at == '=')
        parse_value(&a, at + 1, end);
    return a;
}

static bool number_of(nytp_str value, double *number)
{
    char text[64] = "", *end;
    if (value.length == 0 || value.length >= sizeof text)
        return false;
    memcpy(text, value.bytes, value.length);
    *number = strtod(text, &end);
    return *end == '\0' && isfinite(*number);
}

/* Applies the assignments that say how to read what follows. Returns false if the value makes no sense. */
static bool apply_assignment(struct nytp_tmon *t, const assignment *a)
{
    const struct {
        const char *name;
        double *number;
    } applied[] = {{"hz", &t->hz},
                   {"over_utime", &t->over_ticks[0]},
                   {"over_stime", &t->over_ticks[1]},
                   {"over_rtime", &t->over_ticks[2]},
                   {"over_tests", &t->over_tests},
                   {"rrun_rtime", &t->run_ticks}};
    for (size_t i = 0; i < sizeof applied / sizeof applied[0]; i++)
        if (nytp_str_is(a->name, applied[i].name))
            return number_of(a->value, applied[i].number);
    return true;
}

/* Ends the header: computes what follows from all of it. */
static nytp_decode_result end_header(nytp_reader *r)
{
    struct nytp_tmon *t = r->tmon;
    static const double weights[][3] = {[NYTP_CLOCK_USER_SYSTEM] = {1, 1, 0},
                                        [NYTP_CLOCK_REAL] = {0, 0, 1},
                                        [NYTP_CLOCK_USER] = {1, 0, 0},
                                        [NYTP_CLOCK_SYSTEM] = {0, 1, 0}};
    if (!nytp_is_rate(t->hz))
        return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at,
                                   "expected $hz, a number from 1e-9 to 1e18, before PART2");
    r->ticks_per_sec = t->hz;
    memcpy(t->weights, weights[t->options.clock], sizeof t->weights);
    double over = 0;
    for (int i = 0; i < 3; i++)
        over += t->weights[i] * t->over_ticks[i];
    if (t->over_tests > 0 && !t->options.with_overhead)
        t->mark_ticks = over / (2 * t->over_tests);
    t->stage = TMON_BEGIN;
    return NYTP_SKIPPED;
}

nytp_decode_result nytp_tmon_decode_header(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk)
{
    static const char prefix[] = "dprof_";
    enum { PREFIX = sizeof prefix - 1 };
    struct nytp_tmon *t = r->tmon;
    const char *end = line->bytes + line->length;
    const char *at = skip_separators(line->bytes + t->in_line, end);
    if (nytp_tmon_begins_part(line))
        return end_header(r);
    t->in_line = 0;
    if (at == end || *at == '#')
        return NYTP_SKIPPED;
    assignment a = parse(at, end);
    if (a.end == NULL || sizeof prefix + a.name.length > sizeof t->text || !apply_assignment(t, &a))
        return nytp_reader_skip_line(r, "a header line was skipped: expected $NAME=VALUE;");
    memcpy(t->text, prefix, PREFIX);
    memcpy(t->text + PREFIX, a.name.bytes, a.name.length);
    chunk->tag = NYTP_ATTRIBUTE;
    chunk->attribute.key = (nytp_str){t->text, PREFIX + a.name.length, false};
    chunk->attribute.value = a.value;
    t->in_line = (size_t)(a.end - line->bytes);
    nytp_collector_add(&r->collector, chunk->attribute.key, chunk->attribute.value);
    return NYTP_DECODED;
}
