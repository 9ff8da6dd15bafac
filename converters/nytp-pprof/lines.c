/* A sample for each line, for `pprof -list`. */
#include "message.h"
#include "model/display.h"
#include "pprof.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* Lines of a file that are in a sub. */
typedef struct range {
    uint32_t first_line, last_line, sub;
} range;

typedef struct writing {
    pprof_message m;
    const nytp_profile *profile;
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

static gint by_size(gconstpointer a, gconstpointer b)
{
    const range *x = a, *y = b;
    uint32_t m = x->last_line - x->first_line, n = y->last_line - y->first_line;
    return m != n ? (m < n ? -1 : 1) : (x->first_line > y->first_line) - (x->first_line < y->first_line);
}

/* The ranges of subs in a file, the shortest first, so that the first one that has a line is the innermost.
 */
static GArray *ranges_of(const nytp_profile *profile, uint32_t fid)
{
    GArray *ranges = g_array_new(FALSE, FALSE, sizeof(range));
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++)
        for (size_t k = 0; k < sub.range_count; k++)
            if (sub.ranges[k].fid == fid && sub.ranges[k].last_line > 0 && !nytp_sub_is_root(&sub)) {
                range r = {sub.ranges[k].first_line, sub.ranges[k].last_line, i};
                g_array_append_val(ranges, r);
            }
    g_array_sort(ranges, by_size);
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
    GArray *ranges;
    GHashTable *ids; /* by sub: the id of its function in this file */
    uint32_t top_id; /* of the code outside of subs; 0: none yet */
} current_file;

static uint32_t function_at(writing *w, current_file *f, uint32_t line)
{
    for (guint i = 0; i < f->ranges->len; i++) {
        const range *r = &g_array_index(f->ranges, range, i);
        if (line < r->first_line || line > r->last_line)
            continue;
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
    pprof_end_sample(&w->m, line->count, MAX(0, (int64_t)llround(ns)), 0);
}

static void write_file(writing *w, const nytp_file *file)
{
    nytp_line line;
    current_file f = {file, ranges_of(w->profile, file->fid), g_hash_table_new(NULL, NULL), 0};
    for (uint64_t from = 0; nytp_profile_next_line(w->profile, file->fid, &from, &line);)
        write_line(w, &f, &line);
    g_array_free(f.ranges, TRUE);
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
                 .functions = g_array_new(FALSE, FALSE, sizeof(function)),
                 .locations = g_array_new(FALSE, FALSE, sizeof(location))};
    const nytp_file *file;
    pprof_message_init(&w.m, out);
    pprof_write_types(&w.m, "statements", nytp_profile_has_cpu_clock(profile) ? "cpu" : "wall");
    for (size_t i = 0; (file = nytp_profile_file(profile, i)) != NULL; i++)
        write_file(&w, file);
    write_places(&w);
    const nytp_setting *script = nytp_profile_setting(profile, NYTP_ATTRIBUTE, "application");
    g_autofree char *name = script != NULL ? utf8(script->value) : g_strdup("");
    pprof_write_end(&w.m, text_of(name), 0, 0);
    pprof_message_finish(&w.m);
    g_array_free(w.functions, TRUE);
    g_array_free(w.locations, TRUE);
}
