#include "stock.h"

#include <glib.h>
#include <string.h>

char **csv_stock_inc(void)
{
    char *argv[] = {"perl", "-e", "print map { \"$_\\n\" } grep { m{^/} } @INC", NULL};
    g_autofree char *out = NULL;
    int status = 0;
    if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out,
                      NULL, &status, NULL) ||
        status != 0 || out == NULL)
        return g_new0(char *, 1);
    char **inc = g_strsplit(g_strchomp(out), "\n", -1);
    return inc;
}

/* The length of the longest directory of inc that text begins with, with its slash; 0: none. */
static size_t inc_length(const char *text, char *const *inc)
{
    size_t longest = 0;
    for (; *inc != NULL; inc++) {
        size_t length = strlen(*inc);
        if (length > longest && strncmp(text, *inc, length) == 0)
            longest = length;
    }
    return longest + (longest > 0 && text[longest] == '/');
}

/* Whether a path may begin there in a name: at its begin, in an eval's after "[", and in what Moose makes. */
static bool may_begin(const GString *name, size_t at)
{
    static const char defined[] = " defined at ";
    const size_t length = sizeof defined - 1;
    return at == 0 || name->str[at - 1] == '[' ||
           (at >= length && memcmp(name->str + at - length, defined, length) == 0);
}

/* Takes the first directory of inc off. */
static void strip_inc(GString *name, char *const *inc)
{
    for (size_t at = 0; at < name->len; at++) {
        if (!may_begin(name, at))
            continue;
        size_t length = inc_length(name->str + at, inc);
        if (length == 0)
            continue;
        g_string_erase(name, (gssize)at, (gssize)length);
        return;
    }
}

/* "/a/long/way/File.pm" becomes "/.../File.pm". */
static void shorten(GString *name)
{
    enum { LONGEST = 50 };
    if (name->len <= LONGEST)
        return;
    const char *first = strchr(name->str, '/'), *last = strrchr(name->str, '/');
    if (first != NULL && last > first) {
        gssize at = first - name->str;
        g_string_erase(name, at, last - first + 1);
        g_string_insert(name, at, "/.../");
    }
    if (name->len > LONGEST)
        g_string_assign(name, "TOOLONG");
}

char *csv_stock_name(const nytp_file *f, const char *level, char *const *inc)
{
    g_autoptr(GString) name = g_string_new_len(f->name.bytes, (gssize)f->name.length);
    g_autoptr(GRegex) odd = g_regex_new("[-/\\\\:*?\"'<>|.\\x00]+", G_REGEX_RAW, 0, NULL);
    strip_inc(name, inc);
    shorten(name);
    g_autofree char *safe = g_regex_replace_literal(odd, name->str, (gssize)name->len, 0, "-", 0, NULL);
    const char *begin = safe + (*safe == '-');
    const size_t length = strlen(begin);
    return g_strdup_printf("%.*s-%u-%s.csv", (int)(length - (g_str_has_suffix(begin, "-") ? 1 : 0)), begin,
                           f->fid, level);
}
