#include "names.h"

#include <glib.h>
#include <limits.h>
#include <string.h>

struct record_names {
    const sampler_root *root;
    char *start,
        *now;   /* directories: of its environment, where it was started; and where it is. NULL: not known */
    char *base; /* the one of them from which it loads relative names; NULL: not known of all together */
};

static bool is_relative(const char *name)
{
    return name[0] != '/' && name[0] != '(' && name[0] != '\0' && strcmp(name, "-") != 0 &&
           strcmp(name, "-e") != 0;
}

static char *below(const char *directory, const char *name)
{
    while (g_str_has_prefix(name, "./"))
        name += 2;
    return g_strdup_printf("%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name);
}

/* Whether a name is there in a directory, which may be NULL. */
static bool is_in(const record_names *n, const char *directory, const char *name, struct stat *st)
{
    if (directory == NULL || n->root == NULL)
        return false;
    g_autofree char *path = below(directory, name);
    return sampler_root_stat(n->root, path, st);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns the directory in which a name is, unless other files of that name are in both. */
static const char *directory_of(const record_names *n, const char *name)
{
    struct stat at_start, here;
    const bool is_at_start = is_in(n, n->start, name, &at_start), is_here = is_in(n, n->now, name, &here);
    if (is_at_start && is_here)
        return is_same_file(&at_start, &here) ? n->now : NULL;
    return is_at_start ? n->start : is_here ? n->now : NULL;
}

/* A program that is still where it was started, or whose script says where that was. Without that, what is
 * found in the present directory may be another file of that name. */
static const char *find_base(const record_names *n, const char *script)
{
    struct stat start, now;
    if (is_in(n, n->start, ".", &start) && is_in(n, n->now, ".", &now) && is_same_file(&start, &now))
        return n->now;
    return is_relative(script) ? directory_of(n, script) : NULL;
}

record_names *record_names_new(const sampler_target *target, const sampler_root *root)
{
    char text[PATH_MAX];
    record_names *n = g_new0(record_names, 1);
    n->root = root;
    sampler_target_environment(target, "PWD", text, sizeof text);
    n->start = text[0] == '/' ? g_strdup(text) : NULL;
    sampler_root_cwd(target->proc, text, sizeof text);
    n->now = text[0] == '/' ? g_strdup(text) : NULL;
    sampler_target_program(target, text, sizeof text);
    n->base = g_strdup(find_base(n, text));
    return n;
}

void record_names_free(record_names *n)
{
    if (n == NULL)
        return;
    g_free(n->start);
    g_free(n->now);
    g_free(n->base);
    g_free(n);
}

char *record_names_absolute(const record_names *n, const char *name)
{
    struct stat st;
    if (!is_relative(name))
        return g_strdup(name);
    if (n->base != NULL)
        return below(n->base, name);
    const bool is_known = is_in(n, n->start, name, &st) && !is_in(n, n->now, name, &st);
    return is_known ? below(n->start, name) : g_strdup(name);
}
