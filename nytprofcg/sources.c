#include "sources.h"

#include "file_name.h"
#include "base/str.h"
#include "cli/output.h"
#include "cli/perl_file.h"
#include "cli/read.h"
#include "cli/say.h"
#include "model/display.h"
#include "model/eval_name.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/source_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* It is in each directory that is made here, so that no file of anybody else is replaced. */
static const char mark[] = ".nytprofcg-sources";

struct cg_sources {
    const nytp_profile *profile;
    nytp_source_lines *lines;
    char *directory;   /* absolute */
    nytp_outdir *dir;  /* NULL: not open */
    bool failed;       /* to write, which has been said */
    GHashTable *paths; /* char * by fid, "" if the file stays as it is */
    GHashTable *evals; /* the same by place and text */
    GHashTable *taken; /* names in the directory */
    GPtrArray *texts;  /* char *, what the tables point to */
    nytp_perl_files on_disk;
};

/* Loaders cut names at colons, and names in the file are as nytp_name_clean() shows them. */
static bool may_be_named(const char *path)
{
    g_autofree char *shown = nytp_name_clean(nytp_str_of(path));
    return strcmp(shown, path) == 0 && strchr(path, ':') == NULL;
}

static bool is_in(const char *path, const char *directory)
{
    struct stat above, st;
    g_autofree char *parent = g_path_get_dirname(path);
    return stat(parent, &above) == 0 && stat(directory, &st) == 0 && above.st_dev == st.st_dev &&
           above.st_ino == st.st_ino;
}

static bool is_empty(const char *directory)
{
    GDir *dir = g_dir_open(directory, 0, NULL);
    const bool has_any = dir != NULL && g_dir_read_name(dir) != NULL;
    if (dir != NULL)
        g_dir_close(dir);
    return !has_any;
}

/* Returns why the directory cannot be used, or NULL. */
static const char *refusal(const char *directory, const char *output)
{
    g_autofree char *marked = g_build_filename(directory, mark, NULL);
    if (!may_be_named(directory))
        return "a path with a colon, control characters, or bytes that are not UTF-8 cannot be named in the "
               "file";
    if (output != NULL && strcmp(output, "-") != 0 && is_in(output, directory))
        return "is the directory of the output, too";
    if (!is_empty(directory) && !g_file_test(marked, G_FILE_TEST_IS_REGULAR))
        return "has files that --sources has not written";
    return NULL;
}

static char *absolute(const char *path)
{
    g_autofree char *here = g_get_current_dir();
    while (g_str_has_prefix(path, "./"))
        path += strspn(path + 1, "/") + 1;
    return path[0] == '/' ? g_strdup(path) : g_build_filename(here, path, NULL);
}

cg_sources *cg_sources_new(const char *directory, const char *output)
{
    g_autofree char *path = absolute(directory);
    const char *why = refusal(path, output);
    if (why != NULL) {
        nytp_say("%s: %s", directory, why);
        return NULL;
    }
    cg_sources *s = g_new0(cg_sources, 1);
    s->directory = g_steal_pointer(&path);
    s->lines = nytp_source_lines_new();
    s->texts = g_ptr_array_new_with_free_func(g_free);
    s->paths = g_hash_table_new(nytp_hash_of_number, NULL);
    s->evals = g_hash_table_new(nytp_hash_of_text, g_str_equal);
    s->taken = g_hash_table_new(nytp_hash_of_text, g_str_equal);
    return s;
}

void cg_sources_free(cg_sources *sources)
{
    if (sources == NULL)
        return;
    if (sources->dir != NULL)
        nytp_outdir_discard(sources->dir);
    g_hash_table_destroy(sources->taken);
    g_hash_table_destroy(sources->evals);
    g_hash_table_destroy(sources->paths);
    g_ptr_array_free(sources->texts, TRUE);
    nytp_source_lines_free(sources->lines);
    g_free(sources->directory);
    g_free(sources);
}

void cg_sources_collect(cg_sources *sources, nytp_profile *profile)
{
    sources->profile = profile;
    nytp_profile_on_source(profile, nytp_source_lines_add, sources->lines);
}

int cg_sources_open(cg_sources *sources, bool verbose)
{
    nytp_perl_files_recorded(&sources->on_disk, sources->profile);
    sources->on_disk.verbose = verbose;
    sources->dir = nytp_read_open_outdir(sources->directory);
    sources->failed = sources->dir == NULL || nytp_outdir_file(sources->dir, mark) == NULL;
    return sources->failed ? -1 : 0;
}

static char *keep(const cg_sources *s, char *text)
{
    g_ptr_array_add(s->texts, text);
    return text;
}

/* Whether the text is that of the lines. Perl does not keep what follows __END__. */
static bool has_lines(nytp_str text, const GArray *lines)
{
    NYTP_EACH(const nytp_str, line, lines) {
        const nytp_str next = nytp_str_take_line(&text);
        if (line->length > 0 && !nytp_str_same(next, *line))
            return false;
    }
    return true;
}

static bool is_on_disk(cg_sources *s, const nytp_file *f, const GArray *lines)
{
    g_autofree char *name = g_strndup(f->name.bytes, f->name.length);
    size_t size;
    if (strlen(name) != f->name.length || !may_be_named(name) || f->eval_fid != 0)
        return false;
    char *text = nytp_perl_file_read(&s->on_disk, name, &size);
    const bool same = text != NULL && has_lines((nytp_str){text, size, false}, lines);
    free(text);
    return same;
}

/* Returns a name that no other file of the directory has: the last part of the file's, "t.pl.eval-5@26". */
static const char *name_in_directory(const cg_sources *s, const nytp_file *f)
{
    enum { LONGEST = 200 /* of 255 bytes, less a number */ };
    g_autofree char *shown = cg_file_name(f->name);
    const char *slash = strrchr(shown, '/'), *last = slash != NULL ? slash + 1 : shown;
    const size_t length = strlen(last);
    const char *end = length > LONGEST ? g_utf8_find_prev_char(last, last + LONGEST) : last + length;
    return keep(s, nytp_name_reserve(s->taken, g_strdup_printf("%s%.*s",
                                                               last[0] == '.'    ? "_"
                                                               : last[0] == '\0' ? "source"
                                                                                 : "",
                                                               (int)(end - last), last)));
}

/* A line that has newlines of its own would move those that follow. */
static void write_lines(const GArray *lines, FILE *out)
{
    NYTP_EACH(const nytp_str, str, lines) {
        const nytp_str line = *str;
        const bool ends = line.length > 0 && line.bytes[line.length - 1] == '\n';
        for (size_t k = 0; k + ends < line.length; k++)
            fputc(line.bytes[k] == '\n' ? ' ' : line.bytes[k], out);
        fputc('\n', out);
    }
}

static char *write_file(cg_sources *s, const nytp_file *f, const GArray *lines)
{
    const char *name = name_in_directory(s, f);
    FILE *out = s->failed ? NULL : nytp_outdir_file(s->dir, name);
    s->failed |= out == NULL;
    if (out != NULL)
        write_lines(lines, out);
    return keep(s, g_build_filename(s->directory, name, NULL));
}

/* Returns what evals of one place with one text have in common; NULL: the file is not such an eval. The
 * caller must g_free() it. */
static char *place_and_text(const nytp_file *f)
{
    if (f->source_bytes == 0 || !cg_file_is_eval(f->name))
        return NULL;
    size_t length;
    char *unnumbered = nytp_eval_name_merge(f->name, &length);
    g_autofree char *place = cg_file_name((nytp_str){unnumbered, length, f->name.utf8});
    free(unnumbered);
    return g_strdup_printf("%s %" PRIu64 " %" PRIx64, place, f->source_bytes, f->source_hash);
}

static const char *find_path(cg_sources *s, const nytp_file *f)
{
    const GArray *lines = nytp_source_lines_of(s->lines, f->fid);
    if (lines == NULL || is_on_disk(s, f, lines))
        return "";
    char *key = place_and_text(f);
    char *path = key != NULL ? g_hash_table_lookup(s->evals, key) : NULL;
    const bool is_new = path == NULL;
    if (is_new)
        path = write_file(s, f, lines);
    if (key != NULL && is_new)
        g_hash_table_insert(s->evals, keep(s, key), path);
    else
        g_free(key);
    return path;
}

const char *cg_sources_path(cg_sources *sources, const nytp_file *f)
{
    const char *path = g_hash_table_lookup(sources->paths, GUINT_TO_POINTER(f->fid));
    if (path == NULL) {
        path = find_path(sources, f);
        g_hash_table_insert(sources->paths, GUINT_TO_POINTER(f->fid), (gpointer)(uintptr_t)path);
    }
    return path[0] != '\0' ? path : NULL;
}

int cg_sources_commit(cg_sources *sources)
{
    if (sources->failed)
        return -1;
    return nytp_outdir_commit(g_steal_pointer(&sources->dir));
}
