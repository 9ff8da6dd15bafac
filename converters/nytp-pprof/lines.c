#include "pprof.h"

#include "base/ticks.h"
#include "calls/process_calls.h"
#include "model/display.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/line_map.h"
#include "model/measure.h"

#include <glib.h>
#include <math.h>
#include <string.h>

typedef struct writing {
    pprof_message m;
    const nytp_profile *profile;
    nytp_line_map *map;
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

static bool has_lines(void *context, uint32_t number, const nytp_sub *sub, uint64_t *weight)
{
    (void)context, (void)number, (void)weight;
    return sub->kind == NYTP_SUB_PERL && !nytp_sub_is_root(sub);
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

typedef struct current_file {
    const nytp_file *file;
    GHashTable *ids; /* by sub: the id of its function in this file */
    uint32_t top_id; /* of the code outside of subs; 0: none yet */
} current_file;

static uint32_t function_at(writing *w, current_file *f, uint32_t line)
{
    const nytp_line_place place = nytp_line_map_find(w->map, f->file->number, line);
    if (place.sub != UINT32_MAX) {
        gpointer key = GUINT_TO_POINTER(place.sub), id = g_hash_table_lookup(f->ids, key);
        if (id == NULL) {
            nytp_sub sub;
            nytp_profile_sub(w->profile, place.sub, &sub);
            id = GUINT_TO_POINTER(add_function(w, utf8(sub.name), f->file->name, place.first_line));
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
    const double ns = (double)line->ticks * 1e9 / nytp_profile_ticks_per_sec(w->profile);
    const int64_t values[PPROF_VALUES_MAX] = {MAX(0, nytp_whole_ticks(round(ns))), (int64_t)line->count};
    location l = {function_at(w, f, line->line), line->line};
    g_array_append_val(w->locations, l);
    pprof_begin_sample(&w->m);
    pprof_add_location(&w->m, w->locations->len);
    pprof_end_sample(&w->m, values, &(pprof_labels){.pid = 0});
}

static void write_file(writing *w, const nytp_file *file)
{
    nytp_line line;
    current_file f = {file, g_hash_table_new(nytp_hash_of_number, NULL), 0};
    for (uint64_t from = 0; nytp_profile_next_line(w->profile, file->fid, &from, &line);)
        write_line(w, &f, &line);
    g_hash_table_destroy(f.ids);
}

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

static pprof_times times_of(const nytp_profile *profile)
{
    pprof_times times = PPROF_NO_TIMES;
    const nytp_process *p;
    for (size_t i = 0; (p = nytp_profile_process(profile, i)) != NULL; i++)
        pprof_add_process(&times, p->start_s, p->end_s);
    return times;
}

void pprof_write_lines(const nytp_profile *profile, bool now, FILE *out)
{
    writing w = {.profile = profile,
                 .map = nytp_line_map_new(profile, has_lines, NULL),
                 .functions = NYTP_ARRAY(function),
                 .locations = NYTP_ARRAY(location)};
    const nytp_file *file;
    pprof_message_init(&w.m, out);
    const nytp_measure measure = nytp_profile_measure(profile);
    const pprof_types types =
        pprof_types_of_time(nytp_measure_is_sampled(&measure) ? "samples" : "statements",
                            nytp_profile_has_cpu_clock(profile) ? "cpu" : "wall", &measure);
    pprof_write_types(&w.m, &types);
    for (size_t i = 0; (file = nytp_profile_file(profile, i)) != NULL; i++)
        write_file(&w, file);
    write_places(&w);
    g_autofree char *name = utf8(nytp_profile_attribute(profile, "application"));
    const pprof_times times = times_of(profile);
    pprof_write_end(&w.m, text_of(name), &times, now);
    pprof_message_finish(&w.m);
    nytp_line_map_free(w.map);
    g_array_free(w.functions, TRUE);
    g_array_free(w.locations, TRUE);
}
