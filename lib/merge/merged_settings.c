#include "merge/merged_settings.h"

#include "base/str.h"
#include "base/ticks.h"
#include "format/marks.h"
#include "format/memory.h"
#include "merge/merged_dirs.h"
#include "model/grow.h"
#include "model/names.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    AGREES,      /* the first value; a different one means that the profiles do not belong together */
    PER_PROCESS, /* the first value */
    TICKS,       /* the merged profile has its own value */
    IN_PLACE,    /* every value, where it is: before the end of its process */
    COLLECTED,   /* every value, in the order of the inputs */
    DIRECTORIES, /* the first value, and one at the end if other inputs have more directories */
    COLLECTORS,  /* the first value, and one at the end with all of them if others differ */
    /* At the end, one value made of all: */
    APPLICATION,
    BASETIME,
    OVERHEAD,
    SUMMED
};

typedef struct application {
    uint64_t processes;
    uint64_t of_input; /* those of the input with that number */
    uint32_t input;
} application;

/* What is said of all samples together. */
#define VALUES_KEY(type) NYTP_VALUES_KEY #type,
static const char *const summed_keys[] = {
    "sampled_count", "sampled_torn", "sampled_cut", "sampled_missed_s",
    "source_newer",  "heap_samples", "peak_bytes",  NYTP_VALUE_TYPES(VALUES_KEY)};

typedef struct setting {
    uint32_t value; /* number of the first value, or of the last one if COLLECTED */
    bool reported;  /* differs() was called for it */
} setting;

/* The attributes, or the options. */
typedef struct set {
    nytp_names *keys;
    GArray *settings; /* setting, by number of the key */
} set;

struct nytp_merged_settings {
    double ticks_per_sec;
    nytp_setting_differs_fn *differs; /* NULL: not wanted */
    void *context;
    set attributes, options;
    nytp_names *values;
    nytp_names *application_names;
    GArray *applications;  /* application, by number of the name */
    uint32_t application;  /* of the processes of the current input that begin now, + 1; 0: not known */
    uint32_t input;        /* number of the current one */
    bool input_lists_them; /* the current input has annotations of its applications */
    int64_t sums[G_N_ELEMENTS(summed_keys)]; /* in thousandths, which add up in any order */
    bool has_sum[G_N_ELEMENTS(summed_keys)];
    nytp_merged_dirs *directories;
    GPtrArray *collectors;  /* char *, in the order of the inputs */
    guint first_collectors; /* how many of them the first value names */
    char *basetime;
    bool has_overhead;
    double overhead_ticks;
};

static set set_new(void)
{
    return (set){nytp_names_new(), NYTP_ZEROED_ARRAY(setting)};
}

static void set_clear(set *s)
{
    nytp_names_free(s->keys);
    g_array_free(s->settings, TRUE);
}

nytp_merged_settings *nytp_merged_settings_new(double ticks_per_sec, nytp_setting_differs_fn *differs,
                                               void *context)
{
    nytp_merged_settings *s = g_new0(nytp_merged_settings, 1);
    s->ticks_per_sec = ticks_per_sec;
    s->differs = differs;
    s->context = context;
    s->attributes = set_new();
    s->options = set_new();
    s->values = nytp_names_new();
    s->application_names = nytp_names_new();
    s->applications = NYTP_ZEROED_ARRAY(application);
    s->directories = nytp_merged_dirs_new();
    s->collectors = g_ptr_array_new_with_free_func(g_free);
    return s;
}

void nytp_merged_settings_free(nytp_merged_settings *settings)
{
    if (settings == NULL)
        return;
    set_clear(&settings->attributes);
    set_clear(&settings->options);
    nytp_names_free(settings->values);
    nytp_names_free(settings->application_names);
    g_array_free(settings->applications, TRUE);
    nytp_merged_dirs_free(settings->directories);
    g_ptr_array_free(settings->collectors, TRUE);
    g_free(settings->basetime);
    g_free(settings);
}

/* Returns the index of the key in summed_keys, or -1. */
static int summed_number(nytp_str key)
{
    return nytp_str_index(key, summed_keys, G_N_ELEMENTS(summed_keys));
}

static enum kind kind_of(const nytp_chunk *chunk)
{
    static const struct {
        nytp_tag tag;
        const char *key;
        enum kind kind;
    } known[] = {
        {NYTP_ATTRIBUTE, "ticks_per_sec", TICKS},    {NYTP_ATTRIBUTE, "application", APPLICATION},
        {NYTP_ATTRIBUTE, "basetime", BASETIME},      {NYTP_ATTRIBUTE, "cumulative_overhead_ticks", OVERHEAD},
        {NYTP_ATTRIBUTE, "perl_version", AGREES},    {NYTP_ATTRIBUTE, "nv_size", AGREES},
        {NYTP_ATTRIBUTE, "xs_version", AGREES},      {NYTP_ATTRIBUTE, "PL_perldb", PER_PROCESS},
        {NYTP_ATTRIBUTE, "clock_id", AGREES},        {NYTP_ATTRIBUTE, "collector", COLLECTORS},
        {NYTP_ATTRIBUTE, "unit", PER_PROCESS},       {NYTP_ATTRIBUTE, "memory_of", PER_PROCESS},
        {NYTP_ATTRIBUTE, "sampled_bytes", AGREES},   {NYTP_ATTRIBUTE, "heap", PER_PROCESS},
        {NYTP_ATTRIBUTE, "processors", PER_PROCESS}, {NYTP_OPTION, "forkdepth", PER_PROCESS},
        {NYTP_OPTION, "trace", PER_PROCESS},         {NYTP_OPTION, "compress", PER_PROCESS},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (known[i].tag == chunk->tag && nytp_str_is(chunk->attribute.key, known[i].key))
            return known[i].kind;
    if (nytp_mark_kind(chunk) != NYTP_NO_MARK)
        return IN_PLACE;
    if (chunk->tag == NYTP_OPTION)
        return AGREES;
    if (summed_number(chunk->attribute.key) >= 0)
        return SUMMED;
    return nytp_is_dirs(chunk->attribute.key) ? DIRECTORIES : COLLECTED;
}

static void report_once(const nytp_merged_settings *settings, setting *s, nytp_str first,
                        const nytp_chunk *chunk)
{
    if (!s->reported && settings->differs != NULL)
        settings->differs(settings->context, chunk, first);
    s->reported = true;
}

static bool add_value(nytp_merged_settings *settings, const nytp_chunk *chunk, enum kind kind)
{
    const set *of = chunk->tag == NYTP_OPTION ? &settings->options : &settings->attributes;
    bool is_new;
    uint32_t number = nytp_names_intern(of->keys, &chunk->attribute.key, &is_new);
    if (is_new)
        g_array_set_size(of->settings, number + 1);
    setting *s = &g_array_index(of->settings, setting, number);
    if (!is_new) {
        nytp_str known = nytp_names_get(settings->values, s->value);
        if (nytp_str_same(known, chunk->attribute.value))
            return false;
        if (kind == AGREES)
            report_once(settings, s, known, chunk);
        if (kind != COLLECTED)
            return false;
    }
    s->value = nytp_names_intern(settings->values, &chunk->attribute.value, NULL);
    return true;
}

static uint32_t application_number(nytp_merged_settings *settings, nytp_str name)
{
    bool is_new;
    uint32_t number = nytp_names_intern(settings->application_names, &name, &is_new);
    if (is_new)
        g_array_set_size(settings->applications, number + 1);
    return number;
}

static application *application_at(const nytp_merged_settings *settings, uint32_t number)
{
    application *a = &g_array_index(settings->applications, application, number);
    if (a->input != settings->input)
        *a = (application){a->processes, 0, settings->input};
    return a;
}

static void add_processes(const nytp_merged_settings *settings, uint32_t number, uint64_t count)
{
    application *a = application_at(settings, number);
    a->processes += count;
    a->of_input += count;
}

static void add_sum(nytp_merged_settings *settings, const nytp_chunk *chunk)
{
    int i = summed_number(chunk->attribute.key);
    double thousandths = round(nytp_str_number(chunk->attribute.value) * 1000);
    settings->has_sum[i] = true;
    if (nytp_is_ticks(thousandths))
        settings->sums[i] = nytp_add_ticks(settings->sums[i], (int64_t)thousandths);
}

static void add_basetime(nytp_merged_settings *settings, nytp_str value)
{
    if (settings->basetime != NULL && strtod(settings->basetime, NULL) <= nytp_str_number(value))
        return;
    g_free(settings->basetime);
    settings->basetime = g_strndup(value.bytes, value.length);
}

/* Adds each of the collectors that value names, which are several if the input is a merged profile. Returns
 * whether they are the first. */
static bool add_collectors(nytp_merged_settings *settings, nytp_str value)
{
    const bool first = settings->collectors->len == 0;
    g_autofree char *text = g_strndup(value.bytes, value.length);
    g_auto(GStrv) names = g_strsplit(text, ", ", -1);
    for (char **name = names; *name != NULL; name++)
        if (!g_ptr_array_find_with_equal_func(settings->collectors, *name, g_str_equal, NULL))
            g_ptr_array_add(settings->collectors, g_strdup(*name));
    if (first)
        settings->first_collectors = settings->collectors->len;
    return first;
}

void nytp_merged_settings_set_rate(nytp_merged_settings *settings, double ticks_per_sec)
{
    settings->overhead_ticks *= ticks_per_sec / settings->ticks_per_sec;
    settings->ticks_per_sec = ticks_per_sec;
}

bool nytp_merged_settings_add(nytp_merged_settings *settings, const nytp_chunk *chunk, double scale)
{
    nytp_str value = chunk->attribute.value;
    enum kind kind = kind_of(chunk);
    switch (kind) {
    case TICKS: return false;
    case IN_PLACE: return true;
    case BASETIME: add_basetime(settings, value); return false;
    case APPLICATION:
        if (!settings->input_lists_them)
            settings->application = value.length > 0 ? application_number(settings, value) + 1 : 0;
        return false;
    case OVERHEAD:
        settings->has_overhead = true;
        settings->overhead_ticks += nytp_str_number(value) * scale;
        return false;
    case COLLECTORS: return add_collectors(settings, value);
    case SUMMED: add_sum(settings, chunk); return false;
    case DIRECTORIES: return nytp_merged_dirs_add(settings->directories, chunk->attribute.key, value);
    default: return add_value(settings, chunk, kind);
    }
}

uint32_t nytp_merged_settings_begin_processes(nytp_merged_settings *settings, uint64_t count, nytp_str *name)
{
    const uint32_t number = settings->application;
    *name = (nytp_str){"", 0, false};
    if (number > 0) {
        add_processes(settings, number - 1, count);
        *name = nytp_names_get(settings->application_names, number - 1);
    }
    return number;
}

void nytp_merged_settings_add_listed(nytp_merged_settings *settings, nytp_str name, uint64_t processes)
{
    uint32_t number = application_number(settings, name);
    uint64_t known = application_at(settings, number)->of_input;
    settings->input_lists_them = true;
    add_processes(settings, number, processes > known ? processes - known : 0);
}

void nytp_merged_settings_end_input(nytp_merged_settings *settings)
{
    settings->input_lists_them = false;
    settings->application = 0;
    settings->input++;
}

typedef struct putting {
    nytp_merged_setting_fn *each;
    void *context;
} putting;

static void put(void *to, nytp_str key, nytp_str value)
{
    const putting *p = to;
    const nytp_chunk chunk = {.tag = NYTP_ATTRIBUTE, .attribute = {key, value}};
    p->each(p->context, &chunk);
}

static void put_text(putting *to, const char *key, const char *value)
{
    put(to, nytp_str_of(key), nytp_str_of(value));
}

static void put_number(putting *to, const char *key, double value)
{
    char text[64];
    bool whole = fabs(value) < 1e15 && value == floor(value);
    snprintf(text, sizeof text, whole ? "%.0f" : "%.17g", value);
    put_text(to, key, text);
}

static void put_thousandths(putting *to, const char *key, int64_t value)
{
    char text[64];
    snprintf(text, sizeof text, value % 1000 == 0 ? "%.0f" : "%.3f", (double)value / 1000);
    put_text(to, key, text);
}

void nytp_merged_settings_each_first(const nytp_merged_settings *settings, nytp_merged_setting_fn *each,
                                     void *context)
{
    put_number(&(putting){each, context}, "ticks_per_sec", settings->ticks_per_sec);
}

void nytp_merged_settings_each_application(const nytp_merged_settings *settings, nytp_application_fn *each,
                                           void *context)
{
    uint32_t count = nytp_names_count(settings->application_names);
    g_autofree uint32_t *ranks = nytp_names_ranks(settings->application_names),
                        *sorted = g_new(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        sorted[ranks[i]] = i;
    for (uint32_t i = 0; i < count; i++)
        each(context, nytp_names_get(settings->application_names, sorted[i]),
             g_array_index(settings->applications, application, sorted[i]).processes);
}

typedef struct joining {
    GString *text;
    uint32_t left;
} joining;

static void join_application(void *context, nytp_str name, uint64_t processes)
{
    joining *j = context;
    g_string_append_len(j->text, name.bytes, (gssize)name.length);
    if (processes > 1)
        g_string_append_printf(j->text, " (%" PRIu64 " processes)", processes);
    j->left--;
    g_string_append(j->text, j->left > 1 ? ", " : j->left == 1 ? " and " : "");
}

static void put_applications(const nytp_merged_settings *settings, putting *to)
{
    joining j = {g_string_new(NULL), nytp_names_count(settings->application_names)};
    if (j.left > 0) {
        nytp_merged_settings_each_application(settings, join_application, &j);
        put(to, nytp_str_of("application"), (nytp_str){j.text->str, j.text->len, false});
    }
    g_string_free(j.text, TRUE);
}

static void put_collectors(const nytp_merged_settings *settings, putting *to)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (settings->collectors->len == settings->first_collectors)
        return;
    for (guint i = 0; i < settings->collectors->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (char *)settings->collectors->pdata[i]);
    put_text(to, "collector", text->str);
}

void nytp_merged_settings_each_last(const nytp_merged_settings *settings, nytp_merged_setting_fn *each,
                                    void *context)
{
    putting to = {each, context};
    put_applications(settings, &to);
    put_collectors(settings, &to);
    nytp_merged_dirs_each_grown(settings->directories, put, &to);
    if (settings->basetime != NULL)
        put_text(&to, "basetime", settings->basetime);
    if (settings->has_overhead)
        put_number(&to, "cumulative_overhead_ticks", settings->overhead_ticks);
    for (size_t i = 0; i < G_N_ELEMENTS(summed_keys); i++)
        if (settings->has_sum[i])
            put_thousandths(&to, summed_keys[i], settings->sums[i]);
}
