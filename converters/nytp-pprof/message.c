#include "message.h"

#include <string.h>

void pprof_message_init(pprof_message *m, FILE *out)
{
    *m = (pprof_message){out, nytp_names_new(), g_byte_array_new(), g_byte_array_new(), g_byte_array_new()};
    pprof_text(m, "");
}

void pprof_message_clear(pprof_message *m)
{
    nytp_names_free(m->strings);
    g_byte_array_unref(m->one);
    g_byte_array_unref(m->inner);
    g_byte_array_unref(m->packed);
}

uint32_t pprof_string(pprof_message *m, nytp_str text)
{
    return nytp_names_intern(m->strings, &text, NULL);
}

uint32_t pprof_text(pprof_message *m, const char *text)
{
    return pprof_string(m, (nytp_str){text, strlen(text), true});
}

static void begin(GByteArray *message)
{
    g_byte_array_set_size(message, 0);
}

static void write_type(pprof_message *m, enum pprof_profile_field field, const char *type, const char *unit)
{
    begin(m->one);
    nytp_proto_number(m->one, 1, pprof_text(m, type));
    nytp_proto_number(m->one, 2, pprof_text(m, unit));
    nytp_proto_write(m->out, field, m->one);
}

static void write_number(pprof_message *m, enum pprof_profile_field field, uint64_t value)
{
    begin(m->one);
    nytp_proto_number(m->one, field, value);
    fwrite(m->one->data, 1, m->one->len, m->out);
}

void pprof_write_types(pprof_message *m, const char *count, const char *time)
{
    write_type(m, PPROF_SAMPLE_TYPE, count, "count");
    write_type(m, PPROF_SAMPLE_TYPE, time, "nanoseconds");
    write_type(m, PPROF_PERIOD_TYPE, time, "nanoseconds");
    write_number(m, PPROF_PERIOD, 1);
    write_number(m, PPROF_DEFAULT_SAMPLE_TYPE, pprof_text(m, time));
}

void pprof_write_location(pprof_message *m, uint32_t id, uint32_t function, uint32_t line)
{
    enum { ID = 1, MAPPING = 2, LINE = 4, LINE_FUNCTION = 1, LINE_LINE = 2 };
    begin(m->one);
    begin(m->inner);
    nytp_proto_number(m->inner, LINE_FUNCTION, function);
    nytp_proto_number(m->inner, LINE_LINE, line);
    nytp_proto_number(m->one, ID, id);
    nytp_proto_number(m->one, MAPPING, 1);
    nytp_proto_message(m->one, LINE, m->inner);
    nytp_proto_write(m->out, PPROF_LOCATION, m->one);
}

/* system_name stays unset: where it equals the name, pprof takes names with "::" for C++, and shortens them.
 */
void pprof_write_function(pprof_message *m, uint32_t id, nytp_str name, nytp_str file, uint32_t line)
{
    enum { ID = 1, NAME = 2, FILE_NAME = 4, START_LINE = 5 };
    begin(m->one);
    nytp_proto_number(m->one, ID, id);
    nytp_proto_number(m->one, NAME, pprof_string(m, name));
    nytp_proto_number(m->one, FILE_NAME, pprof_string(m, file));
    nytp_proto_number(m->one, START_LINE, line);
    nytp_proto_write(m->out, PPROF_FUNCTION, m->one);
}

void pprof_write_sample(pprof_message *m, const GByteArray *locations, uint64_t count, int64_t ns,
                        uint32_t pid)
{
    enum { LOCATIONS = 1, VALUES = 2, LABEL = 3, LABEL_KEY = 1, LABEL_NUMBER = 3 };
    begin(m->one);
    nytp_proto_message(m->one, LOCATIONS, locations);
    begin(m->packed);
    nytp_proto_packed(m->packed, count);
    nytp_proto_packed(m->packed, (uint64_t)ns);
    nytp_proto_message(m->one, VALUES, m->packed);
    if (pid != 0) {
        begin(m->inner);
        nytp_proto_number(m->inner, LABEL_KEY, pprof_text(m, "pid"));
        nytp_proto_number(m->inner, LABEL_NUMBER, pid);
        nytp_proto_message(m->one, LABEL, m->inner);
    }
    nytp_proto_write(m->out, PPROF_SAMPLE, m->one);
}

/* Without has_functions pprof would look for symbols in the script. */
static void write_mapping(pprof_message *m, nytp_str script)
{
    enum { ID = 1, FILE_NAME = 5, HAS_FUNCTIONS = 7, HAS_FILENAMES = 8, HAS_LINE_NUMBERS = 9 };
    begin(m->one);
    nytp_proto_number(m->one, ID, 1);
    nytp_proto_number(m->one, FILE_NAME, pprof_string(m, script));
    nytp_proto_number(m->one, HAS_FUNCTIONS, 1);
    nytp_proto_number(m->one, HAS_FILENAMES, 1);
    nytp_proto_number(m->one, HAS_LINE_NUMBERS, 1);
    nytp_proto_write(m->out, PPROF_MAPPING, m->one);
}

void pprof_write_end(pprof_message *m, nytp_str script, int64_t begin_ns, int64_t duration_ns)
{
    write_mapping(m, script);
    write_number(m, PPROF_TIME_NANOS, (uint64_t)begin_ns);
    write_number(m, PPROF_DURATION_NANOS, (uint64_t)duration_ns);
    for (uint32_t i = 0; i < nytp_names_count(m->strings); i++) {
        nytp_str s = nytp_names_get(m->strings, i);
        begin(m->one);
        nytp_proto_bytes(m->one, PPROF_STRING, s.bytes, s.length);
        fwrite_unlocked(m->one->data, 1, m->one->len, m->out);
    }
}
