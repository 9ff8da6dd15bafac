#include "names.h"
#include "settings.h"

#include "tool.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    AGREES,      /* or the profiles are of different things: the first value, and a warning */
    OF_PROCESS,  /* the first value */
    TICKS,       /* the merged profile's */
    COLLECTED,   /* each value once */
    APPLICATION, /* the last three are told by one value that is made of all */
    BASETIME,
    OVERHEAD
};

typedef struct setting {
    nytp_tag tag;
    nytp_str key;
    enum kind kind;
    GArray *values; /* nytp_str; the first one, or all of COLLECTED with the last one last */
    bool warned;
} setting;

typedef struct application {
    nytp_str name;
    uint64_t runs;
} application;

struct merge_settings {
    double ticks_per_sec;
    GArray *all; /* setting, in order of first sight */
    GTree *applications;
    bool input_told_runs;
    nytp_str basetime;
    bool has_overhead;
    double overhead_ticks;
};

/* ---- strings ---- */

static void free_str(nytp_str s)
{
    g_free((char *)s.bytes);
}

static void clear_str(gpointer s)
{
    free_str(*(nytp_str *)s);
}

static bool equal_strs(nytp_str a, nytp_str b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static bool is_word(nytp_str s, const char *word)
{
    return equal_strs(s, (nytp_str){word, strlen(word), false});
}

static gint compare_strs(gconstpointer x, gconstpointer y, gpointer context)
{
    const nytp_str *a = x, *b = y;
    int order = memcmp(a->bytes, b->bytes, MIN(a->length, b->length));
    (void)context;
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static double number_of(nytp_str s)
{
    char text[64] = "";
    if (s.length < sizeof text)
        memcpy(text, s.bytes, s.length);
    return strtod(text, NULL);
}

/* ---- the set ---- */

static void clear_setting(gpointer p)
{
    setting *s = p;
    free_str(s->key);
    g_array_free(s->values, TRUE);
}

static void free_application(gpointer p)
{
    application *a = p;
    free_str(a->name);
    g_free(a);
}

merge_settings *merge_settings_new(double ticks_per_sec)
{
    merge_settings *s = g_new0(merge_settings, 1);
    s->ticks_per_sec = ticks_per_sec;
    s->all = g_array_new(FALSE, FALSE, sizeof(setting));
    g_array_set_clear_func(s->all, clear_setting);
    s->applications = g_tree_new_full(compare_strs, NULL, NULL, free_application);
    return s;
}

void merge_settings_free(merge_settings *settings)
{
    g_array_free(settings->all, TRUE);
    g_tree_destroy(settings->applications);
    free_str(settings->basetime);
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
        {NYTP_ATTRIBUTE, "clock_id", AGREES},     {NYTP_OPTION, "forkdepth", OF_PROCESS},
        {NYTP_OPTION, "trace", OF_PROCESS},       {NYTP_OPTION, "compress", OF_PROCESS},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (known[i].tag == chunk->tag && is_word(chunk->attribute.key, known[i].key))
            return known[i].kind;
    return chunk->tag == NYTP_OPTION ? AGREES : COLLECTED;
}

static setting *find(const merge_settings *settings, const nytp_chunk *chunk)
{
    for (guint i = 0; i < settings->all->len; i++) {
        setting *s = &g_array_index(settings->all, setting, i);
        if (s->tag == chunk->tag && equal_strs(s->key, chunk->attribute.key))
            return s;
    }
    return NULL;
}

static void warn_once(setting *s, nytp_str value, const char *input)
{
    const nytp_str first = g_array_index(s->values, nytp_str, 0);
    if (s->warned)
        return;
    s->warned = true;
    nytp_tool_say("warning: %s: %s %.*s is %.*s there and was %.*s before; are these profiles of one thing?",
                  input, s->tag == NYTP_OPTION ? "option" : "attribute", (int)s->key.length, s->key.bytes,
                  (int)value.length, value.bytes, (int)first.length, first.bytes);
}

static void collect(setting *s, nytp_str value)
{
    for (guint i = 0; i < s->values->len; i++) {
        nytp_str old = g_array_index(s->values, nytp_str, i);
        if (equal_strs(old, value)) {
            memmove(&g_array_index(s->values, nytp_str, i), &g_array_index(s->values, nytp_str, i + 1),
                    (s->values->len - i - 1) * sizeof old);
            g_array_index(s->values, nytp_str, s->values->len - 1) = old;
            return;
        }
    }
    value = nytp_name_copy(value);
    g_array_append_val(s->values, value);
}

static void add_application(merge_settings *settings, nytp_str name, uint64_t runs)
{
    application *a = g_tree_lookup(settings->applications, &name);
    if (a == NULL) {
        a = g_new0(application, 1);
        a->name = nytp_name_copy(name);
        g_tree_insert(settings->applications, &a->name, a);
    }
    a->runs += runs;
}

static void take_basetime(merge_settings *settings, nytp_str value)
{
    if (settings->basetime.bytes != NULL && number_of(settings->basetime) <= number_of(value))
        return;
    free_str(settings->basetime);
    settings->basetime = nytp_name_copy(value);
}

static bool take_new(merge_settings *settings, const nytp_chunk *chunk, enum kind kind)
{
    setting s = {.tag = chunk->tag,
                 .key = nytp_name_copy(chunk->attribute.key),
                 .kind = kind,
                 .values = g_array_new(FALSE, FALSE, sizeof(nytp_str))};
    g_array_set_clear_func(s.values, clear_str);
    collect(&s, chunk->attribute.value);
    g_array_append_val(settings->all, s);
    return kind == AGREES || kind == OF_PROCESS;
}

bool merge_settings_take(merge_settings *settings, const nytp_chunk *chunk, const char *input, double scale)
{
    nytp_str value = chunk->attribute.value;
    enum kind kind = kind_of(chunk);
    switch (kind) {
    case TICKS: return false;
    case BASETIME: take_basetime(settings, value); return false;
    case APPLICATION:
        if (!settings->input_told_runs)
            add_application(settings, value, 1);
        return false;
    case OVERHEAD:
        settings->has_overhead = true;
        settings->overhead_ticks += number_of(value) * scale;
        return false;
    default: break;
    }
    setting *s = find(settings, chunk);
    if (s == NULL)
        return take_new(settings, chunk, kind);
    if (kind == COLLECTED)
        collect(s, value);
    else if (kind == AGREES && !equal_strs(g_array_index(s->values, nytp_str, 0), value))
        warn_once(s, value, input);
    return false;
}

void merge_settings_take_runs(merge_settings *settings, nytp_str name, uint64_t runs)
{
    settings->input_told_runs = true;
    add_application(settings, name, runs);
}

void merge_settings_end_input(merge_settings *settings)
{
    settings->input_told_runs = false;
}

/* ---- telling ---- */

static void tell(merge_setting_fn *take, void *context, nytp_tag tag, nytp_str key, nytp_str value)
{
    const nytp_chunk chunk = {.tag = tag, .attribute = {key, value}};
    take(context, &chunk);
}

static void tell_text(merge_setting_fn *take, void *context, const char *key, const char *value)
{
    tell(take, context, NYTP_ATTRIBUTE, (nytp_str){key, strlen(key), false},
         (nytp_str){value, strlen(value), false});
}

static void tell_number(merge_setting_fn *take, void *context, const char *key, double value)
{
    char text[64];
    bool whole = fabs(value) < 1e15 && value == floor(value);
    snprintf(text, sizeof text, whole ? "%.0f" : "%.17g", value);
    tell_text(take, context, key, text);
}

void merge_settings_each_first(const merge_settings *settings, merge_setting_fn *take, void *context)
{
    tell_number(take, context, "ticks_per_sec", settings->ticks_per_sec);
    for (guint i = 0; i < settings->all->len; i++) {
        const setting *s = &g_array_index(settings->all, setting, i);
        if (s->kind == AGREES || s->kind == OF_PROCESS)
            tell(take, context, s->tag, s->key, g_array_index(s->values, nytp_str, 0));
    }
}

typedef struct joining {
    GString *text;
    guint left;
} joining;

static gboolean join_application(gpointer key, gpointer value, gpointer context)
{
    const application *a = value;
    joining *j = context;
    (void)key;
    g_string_append_len(j->text, a->name.bytes, (gssize)a->name.length);
    if (a->runs > 1)
        g_string_append_printf(j->text, " (%" PRIu64 " runs)", a->runs);
    j->left--;
    g_string_append(j->text, j->left > 1 ? ", " : j->left == 1 ? " and " : "");
    return FALSE;
}

static void tell_applications(const merge_settings *settings, merge_setting_fn *take, void *context)
{
    static const char key[] = "application";
    joining j = {g_string_new(NULL), (guint)g_tree_nnodes(settings->applications)};
    if (j.left > 0) {
        g_tree_foreach(settings->applications, join_application, &j);
        tell(take, context, NYTP_ATTRIBUTE, (nytp_str){key, sizeof key - 1, false},
             (nytp_str){j.text->str, j.text->len, false});
    }
    g_string_free(j.text, TRUE);
}

void merge_settings_each_last(const merge_settings *settings, merge_setting_fn *take, void *context)
{
    for (guint i = 0; i < settings->all->len; i++) {
        const setting *s = &g_array_index(settings->all, setting, i);
        for (guint v = 0; s->kind == COLLECTED && v < s->values->len; v++)
            tell(take, context, s->tag, s->key, g_array_index(s->values, nytp_str, v));
    }
    tell_applications(settings, take, context);
    if (settings->basetime.bytes != NULL)
        tell_text(take, context, "basetime", settings->basetime.bytes);
    if (settings->has_overhead)
        tell_number(take, context, "cumulative_overhead_ticks", settings->overhead_ticks);
}

typedef struct telling_runs {
    merge_runs_fn *take;
    void *context;
} telling_runs;

static gboolean tell_runs(gpointer key, gpointer value, gpointer context)
{
    const application *a = value;
    const telling_runs *t = context;
    (void)key;
    t->take(t->context, a->name, a->runs);
    return FALSE;
}

void merge_settings_each_application(const merge_settings *settings, merge_runs_fn *take, void *context)
{
    telling_runs t = {take, context};
    g_tree_foreach(settings->applications, tell_runs, &t);
}
