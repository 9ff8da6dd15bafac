#include "lines.h"

#include "message.h"
#include "base/ticks.h"
#include "calls/process_calls.h"
#include "model/display.h"
#include "model/group.h"
#include "model/sampled.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* Lines of a file that are in a sub. */
typedef struct range {
    uint32_t file; /* its number */
    uint32_t first_line, last_line, sub;
} range;

typedef struct writing {
    pprof_message m;
    const nytp_profile *profile;
    GArray *ranges;    /* range, by file and first line */
    guint next;        /* the first range that begins after the current line */
    GArray *functions; /* nytp_str of names to free, with files and lines: function */
    GArray *locations; /* location */
} writing;

typedef struct function {
    char *name, *file;
    uint32_t line;
} function;

typedef struct location {
    uint32_t function, line;
} location;

/* In this order, the last of the ranges around a line is the innermost one. */
static int innermost_last(const void *a, const void *b)
{
    const range *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->first_line != y->first_line)
        return x->first_line < y->first_line ? -1 : 1;
    if (x->last_line != y->last_line)
        return x->last_line > y->last_line ? -1 : 1;
    return (x->sub < y->sub) - (x->sub > y->sub);
}

/* Returns the ranges of subs, by file. */
static GArray *all_ranges(const nytp_profile *profile)
{
    GArray *ranges = g_array_new(FALSE, FALSE, sizeof(range));
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++)
        for (size_t k = 0; k < sub.range_count && !nytp_sub_is_root(&sub); k++) {
            const nytp_range *lines = &sub.ranges[k];
            const nytp_file *file = nytp_profile_file_by_fid(profile, lines->fid);
            range r = {file != NULL ? file->number : 0, lines->first_line, lines->last_line, i};
            if (file != NULL && lines->last_line > 0)
                g_array_append_val(ranges, r);
        }
    nytp_group_sort(ranges, innermost_last);
    return ranges;
}

static char *utf8(nytp_str name)
{
    size_t length;
    return nytp_name_utf8(name, &length);
}

static uint32_t add_function(writing *w, char *name, nytp_str file, uint32_t line)
{
    function f = {name, utf8(file), line};
    g_array_append_val(w->functions, f);
    return w->functions->len;
}

/* ---- one file ---- */

typedef struct current_file {
    const nytp_file *file;
    GArray *open;    /* range: those that have begun; ended ones may be among them, but are not the last */
    GHashTable *ids; /* by sub: the id of its function in this file */
    uint32_t top_id; /* of the code outside of subs; 0: none yet */
} current_file;

/* Returns the innermost range around a line, or NULL. Lines must come in ascending order. */
static const range *range_around(writing *w, current_file *f, uint32_t line)
{
    for (; w->next < w->ranges->len; w->next++) {
        const range *r = &g_array_index(w->ranges, range, w->next);
        if (r->file > f->file->number || (r->file == f->file->number && r->first_line > line))
            break;
        if (r->file == f->file->number)
            g_array_append_val(f->open, *r);
    }
    for (; f->open->len > 0; g_array_set_size(f->open, f->open->len - 1)) {
        const range *r = &g_array_index(f->open, range, f->open->len - 1);
        if (r->last_line >= line)
            return r;
    }
    return NULL;
}

static uint32_t function_at(writing *w, current_file *f, uint32_t line)
{
    const range *r = range_around(w, f, line);
    if (r != NULL) {
        gpointer key = GUINT_TO_POINTER(r->sub), id = g_hash_table_lookup(f->ids, key);
        if (id == NULL) {
            nytp_sub sub;
            nytp_profile_sub(w->profile, r->sub, &sub);
            id = GUINT_TO_POINTER(add_function(w, utf8(sub.name), f->file->name, r->first_line));
            g_hash_table_insert(f->ids, key, id);
        }
        return GPOINTER_TO_UINT(id);
    }
    if (f->top_id == 0) {
        g_autofree char *name = utf8(f->file->name);
        f->top_id = add_function(w, g_strdup_printf("(file scope of %s)", name), f->file->name, 1);
    }
    return f->top_id;
}

static void write_line(writing *w, current_file *f, const nytp_line *line)
{
    double ns = (double)line->ticks * 1e9 / nytp_profile_ticks_per_sec(w->profile);
    location l = {function_at(w, f, line->line), line->line};
    g_array_append_val(w->locations, l);
    pprof_begin_sample(&w->m);
    pprof_add_location(&w->m, w->locations->len);
    pprof_end_sample(&w->m, line->count, MAX(0, nytp_whole_ticks(round(ns))), &(pprof_labels){.pid = 0});
}

static void write_file(writing *w, const nytp_file *file)
{
    nytp_line line;
    current_file f = {file, g_array_new(FALSE, FALSE, sizeof(range)), g_hash_table_new(NULL, NULL), 0};
    for (uint64_t from = 0; nytp_profile_next_line(w->profile, file->fid, &from, &line);)
        write_line(w, &f, &line);
    g_array_free(f.open, TRUE);
    g_hash_table_destroy(f.ids);
}

/* ---- all ---- */

static nytp_str text_of(const char *text)
{
    return (nytp_str){text, strlen(text), true};
}

static void write_places(writing *w)
{
    for (guint i = 0; i < w->functions->len; i++) {
        function *f = &g_array_index(w->functions, function, i);
        pprof_write_function(&w->m, i + 1, text_of(f->name), text_of(f->file), f->line);
        g_free(f->name);
        g_free(f->file);
    }
    for (guint i = 0; i < w->locations->len; i++) {
        const location *l = &g_array_index(w->locations, location, i);
        pprof_write_location(&w->m, i + 1, l->function, l->line);
    }
}

void pprof_write_lines(const nytp_profile *profile, FILE *out)
{
    writing w = {.profile = profile,
                 .ranges = all_ranges(profile),
                 .functions = g_array_new(FALSE, FALSE, sizeof(function)),
                 .locations = g_array_new(FALSE, FALSE, sizeof(location))};
    const nytp_file *file;
    pprof_message_init(&w.m, out);
    const double sampled_hz = nytp_profile_sampled_hz(profile);
    pprof_write_types(&w.m, sampled_hz > 0 ? "samples" : "statements",
                      nytp_profile_has_cpu_clock(profile) ? "cpu" : "wall", sampled_hz);
    for (size_t i = 0; (file = nytp_profile_file(profile, i)) != NULL; i++)
        write_file(&w, file);
    write_places(&w);
    const nytp_setting *script = nytp_profile_setting_by_key(profile, NYTP_ATTRIBUTE, "application");
    g_autofree char *name = script != NULL ? utf8(script->value) : g_strdup("");
    pprof_write_end(&w.m, text_of(name), 0, 0);
    pprof_message_finish(&w.m);
    g_array_free(w.ranges, TRUE);
    g_array_free(w.functions, TRUE);
    g_array_free(w.locations, TRUE);
}
