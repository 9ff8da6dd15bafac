/* Cobertura's XML, as its coverage-04.dtd has it, which GitLab, Jenkins, Azure and diff-cover read. Counts
 * are 1 or 0, and no time is in it, so that the same recordings give the same bytes. */
#include "inputs.h"
#include "show.h"

#include "base/str.h"
#include "model/display.h"
#include "model/grow.h"

#include <string.h>

static void put_text(FILE *out, nytp_str text)
{
    size_t length;
    g_autofree char *valid = nytp_text_utf8(text, &length);
    g_autofree char *escaped = g_markup_escape_text(valid, (gssize)length);
    fputs(escaped, out);
}

static double rate(nytp_cover_count count)
{
    return count.all > 0 ? (double)count.seen / (double)count.all : 1;
}

static void put_rates(FILE *out, const nytp_cover_counts *counts)
{
    fprintf(out, "line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"0\"",
            rate(counts->of[NYTP_COVER_LINES]), rate(counts->of[NYTP_COVER_BRANCHES]));
}

/* The first line of a sub stands for it. */
static void put_sub(FILE *out, const nytp_cover_sub *sub)
{
    const nytp_cover_counts counts = {{[NYTP_COVER_LINES] = {sub->ran, 1}}};
    fputs("<method name=\"", out);
    put_text(out, sub->name);
    fputs("\" signature=\"\" ", out);
    put_rates(out, &counts);
    fprintf(out, "><lines><line number=\"%u\" hits=\"%d\"/></lines></method>\n", sub->line, sub->ran);
}

/* Writes a line and its branches, of which *next is the first. */
static void put_line(FILE *out, const nytp_cover_line *line, const GArray *branches, guint *next)
{
    nytp_cover_count count = {0};
    for (; *next < branches->len; (*next)++) {
        const nytp_cover_branch *b = &g_array_index(branches, nytp_cover_branch, *next);
        if (b->line > line->line)
            break;
        const nytp_cover_count of_it = nytp_cover_branch_count(b);
        if (b->line == line->line) {
            count.seen += of_it.seen;
            count.all += of_it.all;
        }
    }
    fprintf(out, "<line number=\"%u\" hits=\"%d\"", line->line, line->ran);
    if (count.all > 0)
        fprintf(out, " branch=\"true\" condition-coverage=\"%s%% (%llu/%llu)\"", cover_percent_of(count).text,
                (unsigned long long)count.seen, (unsigned long long)count.all);
    fputs("/>\n", out);
}

static void put_file(FILE *out, const nytp_cover_file *f)
{
    guint next = 0;
    g_autofree char *base = g_path_get_basename(f->name);
    fputs("<class name=\"", out);
    put_text(out, nytp_str_of(base));
    fputs("\" filename=\"", out);
    put_text(out, nytp_str_of(f->name));
    fputs("\" ", out);
    put_rates(out, &f->counts);
    fputs(">\n<methods>\n", out);
    NYTP_EACH(const nytp_cover_sub, sub, f->subs)
        put_sub(out, sub);
    fputs("</methods>\n<lines>\n", out);
    NYTP_EACH(const nytp_cover_line, line, f->lines)
        put_line(out, line, f->branches, &next);
    fputs("</lines>\n</class>\n", out);
}

static void put_package(FILE *out, const char *directory, const GPtrArray *files)
{
    const nytp_cover_counts totals = cover_totals_of(files, false);
    fputs("<package name=\"", out);
    put_text(out, nytp_str_of(directory));
    fputs("\" ", out);
    put_rates(out, &totals);
    fputs(">\n<classes>\n", out);
    for (guint i = 0; i < files->len; i++)
        put_file(out, files->pdata[i]);
    fputs("</classes>\n</package>\n", out);
}

static void free_list(gpointer list)
{
    g_ptr_array_unref(list);
}

/* The files of each directory. */
static void put_packages(FILE *out, const GPtrArray *files)
{
    g_autoptr(GTree) directories = cover_tree_new(free_list);
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        char *directory = g_path_get_dirname(f->name);
        GPtrArray *in_it = g_tree_lookup(directories, directory);
        if (in_it == NULL && !f->is_eval)
            g_tree_insert(directories, g_strdup(directory), in_it = g_ptr_array_new());
        if (!f->is_eval)
            g_ptr_array_add(in_it, files->pdata[i]);
        g_free(directory);
    }
    for (GTreeNode *node = g_tree_node_first(directories); node != NULL; node = g_tree_node_next(node))
        put_package(out, g_tree_node_key(node), g_tree_node_value(node));
}

/* The directory of the project, which names of files are below. */
static void put_source(FILE *out, const GPtrArray *files)
{
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        const size_t path = strlen(f->path), name = strlen(f->name);
        if (path > name && strcmp(f->path + path - name, f->name) == 0) {
            put_text(out, (nytp_str){f->path, path - name - 1, false});
            return;
        }
    }
}

void cover_write_cobertura(FILE *out, const GPtrArray *files)
{
    const nytp_cover_counts totals = cover_totals_of(files, false);
    const nytp_cover_count lines = totals.of[NYTP_COVER_LINES], branches = totals.of[NYTP_COVER_BRANCHES];
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage ",
          out);
    put_rates(out, &totals);
    fprintf(out,
            " lines-covered=\"%llu\" lines-valid=\"%llu\" branches-covered=\"%llu\" branches-valid=\"%llu\" "
            "version=\"" NYTP_VERSION_STRING "\" timestamp=\"0\">\n<sources>\n<source>",
            (unsigned long long)lines.seen, (unsigned long long)lines.all, (unsigned long long)branches.seen,
            (unsigned long long)branches.all);
    put_source(out, files);
    fputs("</source>\n</sources>\n<packages>\n", out);
    put_packages(out, files);
    fputs("</packages>\n</coverage>\n", out);
}
