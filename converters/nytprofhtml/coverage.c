#include "core.h"

#include "model/grow.h"

#include <string.h>

/* A line that has a statement. */
typedef struct covered {
    uint32_t line;
    bool ran;
    GString *branches; /* a digit for each: 1 its condition was true, 2 false, 3 both, 0 neither */
} covered;

static void clear_covered(gpointer one)
{
    g_string_free(((covered *)one)->branches, TRUE);
}

/* Returns whether a path, as a profile has it, ends with the name of a file of the project. */
static bool is_named(nytp_str path, const char *name)
{
    const size_t length = strlen(name), before = path.length - length;
    return path.length >= length && memcmp(path.bytes + before, name, length) == 0 &&
           (before == 0 || *name == '/' || path.bytes[before - 1] == '/');
}

/* Returns the file of the recordings with the longest name that the path ends with; NULL if there is none. */
static const nytp_cover_file *file_of(nytp_cover *coverage, nytp_str path)
{
    const GPtrArray *files = nytp_cover_files(coverage);
    const nytp_cover_file *found = NULL;
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        if (!f->is_eval && is_named(path, f->name) &&
            (found == NULL || strlen(f->name) > strlen(found->name)))
            found = f;
    }
    return found;
}

static void add_lines(GArray *rows, const nytp_cover_file *f)
{
    guint next = 0;
    NYTP_EACH(const nytp_cover_line, l, f->lines) {
        covered one = {l->line, l->ran, g_string_new(NULL)};
        for (; next < f->branches->len; next++) {
            const nytp_cover_branch *b = &g_array_index(f->branches, nytp_cover_branch, next);
            if (b->line > l->line)
                break;
            if (b->line == l->line)
                g_string_append_c(one.branches,
                                  (char)('0' + ((b->seen | b->excused) & NYTP_COVER_BOTH_WAYS)));
        }
        g_array_append_val(rows, one);
    }
}

void html_coverage_write(const html_report *report, nytp_cover *coverage, html_json *j)
{
    g_autoptr(GArray) rows = NYTP_ARRAY(covered), counts = NYTP_ARRAY(guint);
    g_array_set_clear_func(rows, clear_covered);
    NYTP_EACH(const html_file, file, report->files) {
        const guint before = rows->len;
        const nytp_cover_file *f = file->of->eval_fid == 0 ? file_of(coverage, file->of->name) : NULL;
        if (f != NULL)
            add_lines(rows, f);
        const guint count = rows->len - before;
        g_array_append_val(counts, count);
    }
    html_json_open(j, "coverage", '{');
    HTML_COLUMN(j, "count", counts->len, i, g_array_index(counts, guint, i));
    HTML_COLUMN(j, "line", rows->len, i, g_array_index(rows, covered, i).line);
    HTML_COLUMN(j, "ran", rows->len, i, g_array_index(rows, covered, i).ran);
    HTML_COLUMN_OF(html_json_text, j, "branches", rows->len, i,
                   g_array_index(rows, covered, i).branches->str);
    html_json_close(j, '}');
}
