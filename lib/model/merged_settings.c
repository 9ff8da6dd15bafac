#include "model/merged_settings.h"

#include "base/str.h"
#include "model/merged_dirs.h"
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
    COLLECTED,   /* every value, in the order of the inputs */
    DIRECTORIES, /* the first value, and one at the end if other inputs have more directories */
    COLLECTORS,  /* the first value, and one at the end with all of them if others differ */
    /* At the end, one value made of all: */
    APPLICATION,
    BASETIME,
    OVERHEAD
};

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
    nytp_names *applications;
    GArray *runs;        /* uint64_t, by number of the application */
    bool input_has_runs; /* the current input has annotations of its runs */
    nytp_merged_dirs *directories;
    GPtrArray *collectors;  /* char *, in the order of the inputs */
    guint first_collectors; /* how many of them the first value names */
    char *basetime;
    bool has_overhead;
    double overhead_ticks;
};

/* ---- the sets ---- */

static set set_new(void)
{
    return (set){nytp_names_new(), g_array_new(FALSE, TRUE, sizeof(setting))};
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
    s->applications = nytp_names_new();
    s->runs = g_array_new(FALSE, TRUE, sizeof(uint64_t));
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
    nytp_names_free(settings->applications);
    g_array_free(settings->runs, TRUE);
    nytp_merged_dirs_free(settings->directories);
    g_ptr_array_free(settings->collectors, TRUE);
    g_free(settings->basetime);
    g_free(settings);
}

static enum kind kind_of(const nytp_chunk *chunk)
{
    static const struct {
        nytp_tag tag;
        const char *key;
        enum kind kind;
    } known[] = {
        {NYTP_ATTRIBUTE, "ticks_per_sec", TICKS}, {NYTP_ATTRIBUTE, "application", APPLICATION},
        {NYTP_ATTRIBUTE, "basetime", BASETIME},   {NYTP_ATTRIBUTE, "cumulative_overhead_ticks", OVERHEAD},
        {NYTP_ATTRIBUTE, "perl_version", AGREES}, {NYTP_ATTRIBUTE, "nv_size", AGREES},
        {NYTP_ATTRIBUTE, "xs_version", AGREES},   {NYTP_ATTRIBUTE, "PL_perldb", AGREES},
        {NYTP_ATTRIBUTE, "clock_id", AGREES},     {NYTP_ATTRIBUTE, "collector", COLLECTORS},
        {NYTP_OPTION, "forkdepth", PER_PROCESS},  {NYTP_OPTION, "trace", PER_PROCESS},
        {NYTP_OPTION, "compress", PER_PROCESS},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (known[i].tag == chunk->tag && nytp_str_is(chunk->attribute.key, known[i].key))
            return known[i].kind;
    if (chunk->tag == NYTP_OPTION)
        return AGREES;
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

static void add_application(nytp_merged_settings *settings, nytp_str name, uint64_t runs)
{
    bool is_new;
    uint32_t number = nytp_names_intern(settings->applications, &name, &is_new);
    if (is_new)
        g_array_set_size(settings->runs, number + 1);
    g_array_index(settings->runs, uint64_t, number) += runs;
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
    case BASETIME: add_basetime(settings, value); return false;
    case APPLICATION:
        if (!settings->input_has_runs)
            add_application(settings, value, 1);
        return false;
    case OVERHEAD:
        settings->has_overhead = true;
        settings->overhead_ticks += nytp_str_number(value) * scale;
        return false;
    case COLLECTORS: return add_collectors(settings, value);
    case DIRECTORIES: return nytp_merged_dirs_add(settings->directories, chunk->attribute.key, value);
    default: return add_value(settings, chunk, kind);
    }
}

void nytp_merged_settings_add_runs(nytp_merged_settings *settings, nytp_str name, uint64_t runs)
{
    settings->input_has_runs = true;
    add_application(settings, name, runs);
}

void nytp_merged_settings_end_input(nytp_merged_settings *settings)
{
    settings->input_has_runs = false;
}

/* ---- the merged settings ---- */

static void put(nytp_merged_setting_fn *each, void *context, nytp_str key, nytp_str value)
{
    const nytp_chunk chunk = {.tag = NYTP_ATTRIBUTE, .attribute = {key, value}};
    each(context, &chunk);
}

typedef struct putting {
    nytp_merged_setting_fn *each;
    void *context;
} putting;

static void put_directories(void *context, nytp_str key, nytp_str list)
{
    const putting *p = context;
    put(p->each, p->context, key, list);
}

static void put_text(nytp_merged_setting_fn *each, void *context, const char *key, const char *value)
{
    put(each, context, (nytp_str){key, strlen(key), false}, (nytp_str){value, strlen(value), false});
}

static void put_number(nytp_merged_setting_fn *each, void *context, const char *key, double value)
{
    char text[64];
    bool whole = fabs(value) < 1e15 && value == floor(value);
    snprintf(text, sizeof text, whole ? "%.0f" : "%.17g", value);
    put_text(each, context, key, text);
}

void nytp_merged_settings_each_first(const nytp_merged_settings *settings, nytp_merged_setting_fn *each,
                                     void *context)
{
    put_number(each, context, "ticks_per_sec", settings->ticks_per_sec);
}

void nytp_merged_settings_each_application(const nytp_merged_settings *settings,
                                           nytp_application_runs_fn *each, void *context)
{
    uint32_t count = nytp_names_count(settings->applications);
    uint32_t *ranks = nytp_names_ranks(settings->applications), *sorted = g_new(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        sorted[ranks[i]] = i;
    for (uint32_t i = 0; i < count; i++)
        each(context, nytp_names_get(settings->applications, sorted[i]),
             g_array_index(settings->runs, uint64_t, sorted[i]));
    g_free(ranks);
    g_free(sorted);
}

typedef struct joining {
    GString *text;
    uint32_t left;
} joining;

static void join_application(void *context, nytp_str name, uint64_t runs)
{
    joining *j = context;
    g_string_append_len(j->text, name.bytes, (gssize)name.length);
    if (runs > 1)
        g_string_append_printf(j->text, " (%" PRIu64 " runs)", runs);
    j->left--;
    g_string_append(j->text, j->left > 1 ? ", " : j->left == 1 ? " and " : "");
}

static void put_applications(const nytp_merged_settings *settings, nytp_merged_setting_fn *each,
                             void *context)
{
    static const char key[] = "application";
    joining j = {g_string_new(NULL), nytp_names_count(settings->applications)};
    if (j.left > 0) {
        nytp_merged_settings_each_application(settings, join_application, &j);
        put(each, context, (nytp_str){key, sizeof key - 1, false},
            (nytp_str){j.text->str, j.text->len, false});
    }
    g_string_free(j.text, TRUE);
}

static void put_collectors(const nytp_merged_settings *settings, nytp_merged_setting_fn *each, void *context)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (settings->collectors->len == settings->first_collectors)
        return;
    for (guint i = 0; i < settings->collectors->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (char *)settings->collectors->pdata[i]);
    put_text(each, context, "collector", text->str);
}

void nytp_merged_settings_each_last(const nytp_merged_settings *settings, nytp_merged_setting_fn *each,
                                    void *context)
{
    put_applications(settings, each, context);
    put_collectors(settings, each, context);
    nytp_merged_dirs_each_grown(settings->directories, put_directories, &(putting){each, context});
    if (settings->basetime != NULL)
        put_text(each, context, "basetime", settings->basetime);
    if (settings->has_overhead)
        put_number(each, context, "cumulative_overhead_ticks", settings->overhead_ticks);
}
