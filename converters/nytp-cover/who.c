/* --who and --only-by: which programs, such as tests, have run a line. */
#include "inputs.h"

#include "cli/output.h"
#include "cli/say.h"
#include "model/grow.h"
#include "model/hashes.h"

#include <stdio.h>
#include <string.h>

static gint key_order(gconstpointer a, gconstpointer b, gpointer context)
{
    (void)context;
    return strcmp(a, b);
}

GTree *cover_tree_new(GDestroyNotify free_value)
{
    return g_tree_new_full(key_order, NULL, g_free, free_value);
}

/* ---- who ---- */

bool cover_who_set(cover_who *who, const char *where)
{
    const char *colon = strrchr(where, ':');
    guint64 line;
    if (colon == NULL || !g_ascii_string_to_unsigned(colon + 1, 10, 1, UINT32_MAX, &line, NULL))
        return false;
    *who = (cover_who){g_strndup(where, (gsize)(colon - where)), (uint32_t)line, cover_tree_new(NULL)};
    return true;
}

void cover_who_clear(cover_who *who)
{
    g_free(who->file);
    if (who->programs != NULL)
        g_tree_unref(who->programs);
}

static const nytp_cover_line *line_of(const cover_who *who, nytp_cover *cover)
{
    const nytp_cover_file *f = nytp_cover_file_named(cover, who->file);
    return f != NULL ? nytp_cover_line_at(f, who->line) : NULL;
}

void cover_who_add(void *context, nytp_cover *one)
{
    const cover_who *who = context;
    const nytp_cover_line *line = line_of(who, one);
    if (line != NULL && line->ran && nytp_cover_program(one) != NULL)
        g_tree_insert(who->programs, g_strdup(nytp_cover_program(one)), NULL);
}

static gboolean print_name(gpointer name, gpointer value, gpointer context)
{
    (void)value;
    (void)context;
    puts(name);
    return FALSE;
}

int cover_who_show(const cover_who *who, nytp_cover *all)
{
    if (line_of(who, all) == NULL) {
        nytp_say(nytp_cover_file_named(all, who->file) == NULL ? "no recording has the file %s"
                                                               : "%s:%u has no statement",
                 who->file, (unsigned)who->line);
        return NYTP_EXIT_FAILED;
    }
    if (g_tree_nnodes(who->programs) == 0)
        nytp_say("no program has run %s:%u", who->file, (unsigned)who->line);
    g_tree_foreach(who->programs, print_name, NULL);
    return nytp_flush_stdout();
}

/* ---- only by ---- */

enum { ITS = 1, OF_OTHERS = 2 };

static void free_lines(gpointer lines)
{
    g_hash_table_unref(lines);
}

cover_only_by cover_only_by_new(const char *program)
{
    return (cover_only_by){program, false, cover_tree_new(free_lines)};
}

void cover_only_by_clear(cover_only_by *only)
{
    if (only->files != NULL)
        g_tree_unref(only->files);
}

static void add_lines(const cover_only_by *only, const nytp_cover_file *f, guint whose)
{
    GHashTable *lines = g_tree_lookup(only->files, f->name);
    if (lines == NULL)
        g_tree_insert(only->files, g_strdup(f->name), lines = g_hash_table_new(nytp_hash_of_number, NULL));
    NYTP_EACH(const nytp_cover_line, l, f->lines) {
        const gpointer key = GUINT_TO_POINTER(l->line);
        if (l->ran)
            g_hash_table_insert(lines, key,
                                GUINT_TO_POINTER(GPOINTER_TO_UINT(g_hash_table_lookup(lines, key)) | whose));
    }
}

void cover_only_by_add(void *context, nytp_cover *one)
{
    cover_only_by *only = context;
    const char *program = nytp_cover_program(one);
    const bool is_its = program != NULL && strcmp(program, only->program) == 0;
    const GPtrArray *files = nytp_cover_files(one);
    only->is_found |= is_its;
    for (guint i = 0; i < files->len; i++)
        if (!((const nytp_cover_file *)files->pdata[i])->is_eval)
            add_lines(only, files->pdata[i], is_its ? ITS : OF_OTHERS);
}

static void keep_own(const cover_only_by *only, nytp_cover_file *f)
{
    g_autoptr(GArray) own = NYTP_ARRAY(uint32_t);
    GHashTable *lines = f->is_eval ? NULL : g_tree_lookup(only->files, f->name);
    NYTP_EACH(nytp_cover_line, l, f->lines) {
        l->ran =
            lines == NULL || GPOINTER_TO_UINT(g_hash_table_lookup(lines, GUINT_TO_POINTER(l->line))) != ITS;
        if (!l->ran)
            g_array_append_val(own, l->line);
    }
    g_array_set_size(f->branches, 0);
    nytp_cover_keep_lines(f, own);
}

bool cover_only_by_keep(const cover_only_by *only, GPtrArray *files)
{
    if (!only->is_found)
        nytp_say("no recording is of the program %s", only->program);
    for (guint i = 0; i < files->len && only->is_found; i++)
        keep_own(only, files->pdata[i]);
    return only->is_found;
}
