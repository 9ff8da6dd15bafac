#include "push.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* Limits of Pyroscope (pkg/validation/limits.go). It adds four labels, and a container is one of ours. */
enum { MOST_LABELS = 25, MOST_NAME = 1024, MOST_VALUE = 2048 };

static bool is_of_service(char c)
{
    return g_ascii_isalnum(c) || strchr("._/-", c) != NULL;
}

char *record_series_set_service(const nytp_option *option, const char *argument)
{
    record_series *s = option->context;
    s->service = argument;
    for (const char *c = argument; *c != '\0'; c++)
        if (!is_of_service(*c))
            return strdup("expected a name of letters, digits and . _ / -");
    return argument[0] != '\0' ? NULL : strdup("expected a name");
}

/* The names that Prometheus has for labels; Pyroscope would change others. */
static bool is_label_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!g_ascii_isalpha(name[i]) && name[i] != '_' && (i == 0 || !g_ascii_isdigit(name[i])))
            return false;
    return length > 0 && length <= MOST_NAME;
}

/* Those that Pyroscope sets itself. */
static bool is_reserved(const char *name, size_t length)
{
    static const char *const names[] = {"service_name", "pyroscope_spy"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return length >= 2 && memcmp(name, "__", 2) == 0;
}

static bool is_label_value(const char *value)
{
    const size_t length = strlen(value);
    for (size_t i = 0; i < length; i++)
        if (g_ascii_iscntrl(value[i]) || value[i] == ',' || value[i] == '{' || value[i] == '}')
            return false;
    return length > 0 && length <= MOST_VALUE && g_utf8_validate(value, (gssize)length, NULL);
}

static bool has_label(const record_series *s, const char *name, size_t length)
{
    for (const char *at = s->labels; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return true;
    }
    return false;
}

char *record_series_add_label(const nytp_option *option, const char *argument)
{
    record_series *s = option->context;
    const size_t length = strcspn(argument, "=");
    if (argument[length] == '\0')
        return strdup("expected NAME=VALUE");
    if (!is_label_name(argument, length))
        return strdup("expected a name of letters, digits and _ before the =, and no digit first");
    if (is_reserved(argument, length))
        return strdup("expected another name: Pyroscope sets that one (--service names the service)");
    if (!is_label_value(argument + length + 1))
        return strdup("expected 1 to 2048 bytes of UTF-8 after the =, without , { } and control characters");
    if (has_label(s, argument, length))
        return strdup("expected another name: there is a label of that one");
    if (s->count++ == MOST_LABELS)
        return strdup("expected at most 25 labels");
    char *labels = s->labels == NULL ? g_strdup(argument) : g_strconcat(s->labels, ",", argument, NULL);
    g_free(s->labels);
    s->labels = labels;
    return NULL;
}

static const char unit_ending[] = ".service", container[] = "container ";

/* The script without its folder. */
static char *service_of(const char *program, const char *unit)
{
    const char *slash = strrchr(program, '/');
    char *name = unit != NULL ? g_strndup(unit, strlen(unit) - strlen(unit_ending))
                              : g_strdup(slash != NULL ? slash + 1 : program);
    for (char *c = name; *c != '\0'; c++)
        if (!is_of_service(*c))
            *c = '_';
    if (name[0] != '\0')
        return name;
    g_free(name);
    return g_strdup("perl");
}

char *record_series_name(const record_series *s, const char *program, const char *unit)
{
    const bool in_container = g_str_has_prefix(unit, container);
    g_autofree char *own = s->service != NULL
                               ? g_strdup(s->service)
                               : service_of(program, g_str_has_suffix(unit, unit_ending) ? unit : NULL);
    GString *name = g_string_new(own);
    g_string_append_c(name, '{');
    if (in_container && !has_label(s, "container", strlen("container")))
        g_string_append_printf(name, "container=%s%s", unit + strlen(container),
                               s->labels != NULL ? "," : "");
    if (s->labels != NULL)
        g_string_append(name, s->labels);
    g_string_append_c(name, '}');
    return g_string_free(name, FALSE);
}

char *record_series_of(const record_series *s, const sampler_target *target, bool with_unit)
{
    char program[3072], unit[512];
    if (!sampler_target_program(target, program, sizeof program)) /* of "starman worker", the first word */
        program[strcspn(program, " \t\n")] = '\0';
    sampler_unit_read(target->proc, unit, sizeof unit);
    const bool counts = with_unit || !g_str_has_suffix(unit, unit_ending);
    return record_series_name(s, program, counts ? unit : "");
}
