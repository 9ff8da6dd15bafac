/* --who and --only-by: which programs, such as tests, have run a line. */
#include "inputs.h"

#include "cli/output.h"
#include "cli/say.h"
#include "model/grow.h"

#include <stdio.h>
#include <string.h>

static const nytp_cover_file *find_file(nytp_cover *cover, const char *name)
{
    const GPtrArray *files = nytp_cover_files(cover);
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        if (!f->is_eval && strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

/* f: NULL if the recordings do not have the file. */
static bool has_run(const nytp_cover_file *f, uint32_t line)
{
    const nytp_cover_line *l = f != NULL ? nytp_cover_line_at(f, line) : NULL;
    return l != NULL && l->ran;
}

/* Reads a recording by itself. What is wrong with it was said when all were read. */
static nytp_cover *read_alone(const char *path, const nytp_common_options *common)
{
    nytp_cover *cover = nytp_cover_new();
    cover_read_one(cover, path, common);
    return cover;
}

static gboolean print_name(gpointer name, gpointer value, gpointer context)
{
    (void)value;
    (void)context;
    puts(name);
    return FALSE;
}

static int print_programs(const char *name, uint32_t line, const GPtrArray *paths,
                          const nytp_common_options *common)
{
    g_autoptr(GTree) programs = cover_tree_new(NULL);
    for (guint i = 0; i < paths->len; i++) {
        nytp_cover *cover = read_alone(paths->pdata[i], common);
        const char *program = nytp_cover_program(cover);
        if (program != NULL && has_run(find_file(cover, name), line))
            g_tree_insert(programs, g_strdup(program), NULL);
        nytp_cover_free(cover);
    }
    if (g_tree_nnodes(programs) == 0)
        nytp_say("no program has run %s:%u", name, line);
    g_tree_foreach(programs, print_name, NULL);
    return nytp_flush_stdout();
}

int cover_show_who(const char *where, nytp_cover *all, const GPtrArray *paths,
                   const nytp_common_options *common)
{
    const char *colon = strrchr(where, ':');
    guint64 line;
    if (colon == NULL || !g_ascii_string_to_unsigned(colon + 1, 10, 1, UINT32_MAX, &line, NULL))
        return nytp_wrong_usage("--who=%s: expected FILE:LINE", where);
    g_autofree char *name = g_strndup(where, (gsize)(colon - where));
    const nytp_cover_file *f = find_file(all, name);
    if (f != NULL && nytp_cover_line_at(f, (uint32_t)line) != NULL)
        return print_programs(name, (uint32_t)line, paths, common);
    nytp_say(f == NULL ? "no recording has the file %s" : "%s:%u has no statement", name, (unsigned)line);
    return NYTP_EXIT_FAILED;
}

/* Leaves the lines that `its` has run and `others` have not. */
static void keep_own(nytp_cover_file *f, nytp_cover *its, nytp_cover *others)
{
    g_autoptr(GArray) own = NYTP_ARRAY(uint32_t);
    const nytp_cover_file *in_its = f->is_eval ? NULL : find_file(its, f->name),
                          *in_others = find_file(others, f->name);
    NYTP_EACH(nytp_cover_line, l, f->lines) {
        if (!has_run(in_its, l->line) || has_run(in_others, l->line))
            continue;
        l->ran = false;
        g_array_append_val(own, l->line);
    }
    g_array_set_size(f->branches, 0);
    nytp_cover_keep_lines(f, own);
}

bool cover_keep_only_by(const char *program, GPtrArray *files, const GPtrArray *paths,
                        const nytp_common_options *common)
{
    nytp_cover *its = nytp_cover_new(), *others = nytp_cover_new();
    for (guint i = 0; i < paths->len; i++) {
        nytp_cover *alone = read_alone(paths->pdata[i], common);
        const char *name = nytp_cover_program(alone);
        cover_read_one(name != NULL && strcmp(name, program) == 0 ? its : others, paths->pdata[i], common);
        nytp_cover_free(alone);
    }
    const bool found = nytp_cover_recordings(its) > 0;
    if (!found)
        nytp_say("no recording is of the program %s", program);
    for (guint i = 0; i < files->len && found; i++)
        keep_own(files->pdata[i], its, others);
    nytp_cover_free(its);
    nytp_cover_free(others);
    return found;
}
