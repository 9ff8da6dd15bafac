/* --diff: the lines that were added since a commit of git. */
#include "inputs.h"

#include "cli/say.h"
#include "cli/sibling.h"
#include "model/grow.h"

#include <stdlib.h>
#include <string.h>

/* Added lines by the names of files: GArray of uint32_t, in order. */
typedef struct added {
    GTree *lines;
    GArray *of_file; /* of the file whose hunks are read */
} added;

static void free_lines(gpointer lines)
{
    g_array_unref(lines);
}

/* "+++ b/lib/Foo.pm"; git puts quotes around a name with control characters. */
static void begin_file(added *a, const char *text, size_t length)
{
    g_autofree char *written = g_strndup(text, length);
    g_autofree char *plain = *written == '"' ? g_strcompress(written + 1) : g_strdup(written);
    const size_t end = strlen(plain);
    if (end > 0 && (*written == '"' || plain[end - 1] == '\t'))
        plain[end - 1] = '\0';
    a->of_file = NULL;
    if (!g_str_has_prefix(plain, "b/"))
        return; /* it was deleted */
    a->of_file = NYTP_ARRAY(uint32_t);
    g_tree_replace(a->lines, g_strdup(plain + strlen("b/")), a->of_file);
}

/* Reads "FROM,COUNT" or "FROM", and sets *end to what follows. */
static uint32_t read_range(const char *text, uint32_t *from, char **end)
{
    *from = (uint32_t)strtoul(text, end, 10);
    return **end == ',' ? (uint32_t)strtoul(*end + 1, end, 10) : 1;
}

/* "@@ -7,2 +9,3 @@". Returns how many lines of text follow. */
static uint32_t add_hunk(added *a, const char *text)
{
    char *end;
    uint32_t from;
    const uint32_t removed = read_range(text + strlen("@@ -"), &from, &end);
    const uint32_t count = read_range(end + strlen(" +"), &from, &end);
    for (uint32_t i = 0; i < count && a->of_file != NULL; i++) {
        const uint32_t line = from + i;
        g_array_append_val(a->of_file, line);
    }
    return removed + count;
}

static void read_diff(added *a, const char *text)
{
    uint32_t of_hunk = 0;
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        if (of_hunk > 0 && (*at == '+' || *at == '-'))
            of_hunk--;
        else if (g_str_has_prefix(at, "+++ "))
            begin_file(a, at + strlen("+++ "), length - strlen("+++ "));
        else if (g_str_has_prefix(at, "@@ -"))
            of_hunk = add_hunk(a, at);
        at += length + (at[length] == '\n');
    }
}

/* Leaves in each file the lines that were added, and only files in which some were. */
static void keep_added(const added *a, GPtrArray *files)
{
    for (guint i = files->len; i-- > 0;) {
        nytp_cover_file *f = files->pdata[i];
        const GArray *lines = f->is_eval ? NULL : g_tree_lookup(a->lines, f->name);
        if (lines != NULL)
            nytp_cover_keep_lines(f, lines);
        if (lines == NULL || f->lines->len + f->branches->len == 0)
            g_ptr_array_remove_index(files, i);
    }
}

bool cover_keep_diff(GPtrArray *files, const char *base)
{
    const char *const common_of[] = {"git", "merge-base", "--", base, "HEAD", NULL};
    g_autofree char *common = nytp_git(common_of, NULL);
    if (common == NULL) {
        nytp_say("--diff=%s: git finds no common commit of it and HEAD. In a shallow clone it is missing: "
                 "git fetch --unshallow, or fetch-depth: 0 of actions/checkout",
                 base);
        return false;
    }
    const char *const diff_of[] = {"git",
                                   "-c",
                                   "core.quotePath=false",
                                   "diff",
                                   "--no-color",
                                   "--no-ext-diff",
                                   "-U0",
                                   "--inter-hunk-context=0",
                                   "--src-prefix=a/",
                                   "--dst-prefix=b/",
                                   "--relative",
                                   common,
                                   "--",
                                   NULL};
    g_autofree char *text = nytp_git(diff_of, NULL);
    if (text == NULL)
        return false;
    added a = {.lines = cover_tree_new(free_lines)};
    read_diff(&a, text);
    keep_added(&a, files);
    g_tree_unref(a.lines);
    return true;
}
