#include "pprof.h"

#include <glib.h>
#include <string.h>

/* The number of a string, which must be valid UTF-8. */
static uint32_t number_string(pprof_message *m, nytp_str text)
{
    return nytp_names_intern(m->strings, &text, NULL);
}

static uint32_t number_text(pprof_message *m, const char *text)
{
    return number_string(m, (nytp_str){text, strlen(text), true});
}

void pprof_message_init(pprof_message *m, FILE *out)
{
    *m = (pprof_message){.strings = nytp_names_new()};
    nytp_proto_init(&m->proto, out);
    number_text(m, "");
}

void pprof_message_finish(pprof_message *m)
{
    nytp_proto_finish(&m->proto);
    nytp_names_free(m->strings);
}

static void write_type(pprof_message *m, enum pprof_profile_field field, const char *type, const char *unit)
{
    nytp_proto *p = &m->proto;
    size_t value_type = nytp_proto_begin(p, field);
    nytp_proto_number(p, 1, number_text(m, type));
    nytp_proto_number(p, 2, number_text(m, unit));
    nytp_proto_end(p, value_type);
}

pprof_types pprof_types_of_time(const char *count, const char *time, const nytp_measure *measure)
{
    const double hz = measure->samples_per_base;
    return (pprof_types){.values = {{time, "nanoseconds"}, {count, "count"}},
                         .count = 2,
                         .shown = time,
                         .period_of = {time, "nanoseconds"},
                         .period = hz > 0 ? (uint64_t)llround(1e9 / hz) : 1};
}

void pprof_write_types(pprof_message *m, const pprof_types *types)
{
    for (int i = 0; i < types->count; i++)
        write_type(m, PPROF_SAMPLE_TYPE, types->values[i].name, types->values[i].unit);
    write_type(m, PPROF_PERIOD_TYPE, types->period_of.name, types->period_of.unit);
    nytp_proto_number(&m->proto, PPROF_PERIOD, types->period);
    nytp_proto_number(&m->proto, PPROF_DEFAULT_SAMPLE_TYPE, number_text(m, types->shown));
    m->values = types->count;
}

void pprof_write_location(pprof_message *m, uint32_t id, uint32_t function, uint32_t line)
{
    enum { ID = 1, MAPPING = 2, LINE = 4, LINE_FUNCTION = 1, LINE_LINE = 2 };
    nytp_proto *p = &m->proto;
    size_t location = nytp_proto_begin(p, PPROF_LOCATION);
    nytp_proto_number(p, ID, id);
    nytp_proto_number(p, MAPPING, 1);
    size_t in = nytp_proto_begin(p, LINE);
    nytp_proto_number(p, LINE_FUNCTION, function);
    nytp_proto_number(p, LINE_LINE, line);
    nytp_proto_end(p, in);
    nytp_proto_end(p, location);
}

/* system_name stays unset: where it equals the name, pprof takes names with "::" for C++, and shortens them.
 */
void pprof_write_function(pprof_message *m, uint32_t id, nytp_str name, nytp_str file, uint32_t line)
{
    enum { ID = 1, NAME = 2, FILE_NAME = 4, START_LINE = 5 };
    nytp_proto *p = &m->proto;
    size_t function = nytp_proto_begin(p, PPROF_FUNCTION);
    nytp_proto_number(p, ID, id);
    nytp_proto_number(p, NAME, number_string(m, name));
    nytp_proto_number(p, FILE_NAME, number_string(m, file));
    nytp_proto_number(p, START_LINE, line);
    nytp_proto_end(p, function);
}

enum {
    SAMPLE_LOCATIONS = 1,
    SAMPLE_VALUES = 2,
    SAMPLE_LABEL = 3,
    LABEL_KEY = 1,
    LABEL_STRING = 2,
    LABEL_NUMBER = 3
};

void pprof_begin_sample(pprof_message *m)
{
    m->sample = nytp_proto_begin(&m->proto, PPROF_SAMPLE);
    m->locations = nytp_proto_begin(&m->proto, SAMPLE_LOCATIONS);
}

void pprof_add_location(pprof_message *m, uint32_t id)
{
    nytp_proto_packed(&m->proto, id);
}

static void write_label(pprof_message *m, const char *key, int field, uint64_t value)
{
    size_t label = nytp_proto_begin(&m->proto, SAMPLE_LABEL);
    nytp_proto_number(&m->proto, LABEL_KEY, number_text(m, key));
    nytp_proto_number(&m->proto, field, value);
    nytp_proto_end(&m->proto, label);
}

static void write_text_label(pprof_message *m, const char *key, nytp_str text)
{
    if (text.length > 0)
        write_label(m, key, LABEL_STRING, number_string(m, text));
}

void pprof_end_sample(pprof_message *m, const int64_t values[PPROF_VALUES_MAX], const pprof_labels *labels)
{
    nytp_proto *p = &m->proto;
    nytp_proto_end(p, m->locations);
    const size_t packed = nytp_proto_begin(p, SAMPLE_VALUES);
    for (int i = 0; i < m->values; i++)
        nytp_proto_packed(p, (uint64_t)values[i]);
    nytp_proto_end(p, packed);
    if (labels->pid != 0)
        write_label(m, "pid", LABEL_NUMBER, labels->pid);
    write_text_label(m, "label", labels->label);
    write_text_label(m, "route", labels->route);
    write_text_label(m, "kind", labels->kind);
    write_text_label(m, "trace_id", labels->trace);
    write_text_label(m, "span_id", labels->span);
    nytp_proto_end(p, m->sample);
}

/* Without has_functions pprof would look for symbols in the script. */
static void write_mapping(pprof_message *m, nytp_str script)
{
    enum { ID = 1, FILE_NAME = 5, HAS_FUNCTIONS = 7, HAS_FILENAMES = 8, HAS_LINE_NUMBERS = 9 };
    nytp_proto *p = &m->proto;
    size_t mapping = nytp_proto_begin(p, PPROF_MAPPING);
    nytp_proto_number(p, ID, 1);
    nytp_proto_number(p, FILE_NAME, number_string(m, script));
    nytp_proto_number(p, HAS_FUNCTIONS, 1);
    nytp_proto_number(p, HAS_FILENAMES, 1);
    nytp_proto_number(p, HAS_LINE_NUMBERS, 1);
    nytp_proto_end(p, mapping);
}

void pprof_add_process(pprof_times *times, double start_s, double end_s)
{
    times->begin_s = fmin(times->begin_s, start_s);
    times->end_s = fmax(times->end_s, end_s);
}

static void write_times(pprof_message *m, const pprof_times *times, bool now)
{
    const double most_s = 9e9; /* of damaged profiles: an int64 holds no more ns */
    const bool known = times->begin_s >= 0 && times->begin_s < most_s;
    const double duration_s = known && times->end_s < most_s ? fmax(times->end_s - times->begin_s, 0) : 0;
    const int64_t begin_ns = now ? g_get_real_time() * 1000 : known ? llround(times->begin_s * 1e9) : 0;
    nytp_proto_number(&m->proto, PPROF_TIME_NANOS, (uint64_t)begin_ns);
    nytp_proto_number(&m->proto, PPROF_DURATION_NANOS, (uint64_t)llround(duration_s * 1e9));
}

void pprof_write_end(pprof_message *m, nytp_str script, const pprof_times *times, bool now)
{
    write_mapping(m, script);
    write_times(m, times, now);
    for (uint32_t i = 0; i < nytp_names_count(m->strings); i++) {
        nytp_str s = nytp_names_get(m->strings, i);
        nytp_proto_bytes(&m->proto, PPROF_STRING, s.bytes, s.length);
    }
}
