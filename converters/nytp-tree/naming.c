#include "naming.h"

#include "base/str.h"
#include "model/names.h"

#include <glib.h>
#include <string.h>

struct naming {
    GRegex *group, *filter; /* NULL: none */
    char *group_name;       /* the expression itself, clean as all names shown; NULL: no group */
    bool pull;
};

static const char others[] = "other";

/* Perl's syntax and bytes, as dprofpp has it. */
static bool compile(const char *pattern, const char *option, GRegex **regex, char **why)
{
    GError *error = NULL;
    if (pattern == NULL)
        return true;
    *regex = g_regex_new(pattern, G_REGEX_OPTIMIZE | G_REGEX_RAW, 0, &error);
    if (*regex != NULL)
        return true;
    *why = g_strdup_printf("%s '%s': %s", option, pattern, error->message);
    g_error_free(error);
    return false;
}

naming *naming_new(const dump_options *options, char **why)
{
    naming *n = g_new0(naming, 1);
    n->pull = options->pull;
    if (options->group != NULL)
        n->group_name = nytp_name_clean((nytp_str){options->group, strlen(options->group), false});
    if (compile(options->group, "-G", &n->group, why) && compile(options->filter, "-f", &n->filter, why))
        return n;
    naming_free(n);
    return NULL;
}

void naming_free(naming *n)
{
    if (n == NULL)
        return;
    if (n->group != NULL)
        g_regex_unref(n->group);
    if (n->filter != NULL)
        g_regex_unref(n->filter);
    g_free(n->group_name);
    g_free(n);
}

static bool matches(const GRegex *regex, const char *bytes, size_t length)
{
    return regex != NULL && g_regex_match_full(regex, bytes, (gssize)length, 0, 0, NULL, NULL);
}

/* What is left out joins no group. */
char *naming_rename(void *context, nytp_str raw, size_t *length)
{
    const naming *n = context;
    char *name = nytp_name_clean(raw);
    *length = strlen(name);
    if (n->group == NULL || matches(n->filter, name, *length))
        return name;
    const char *shown = matches(n->group, name, *length) ? n->group_name : n->pull ? others : name;
    if (shown == name)
        return name;
    g_free(name);
    *length = strlen(shown);
    return g_strdup(shown);
}

bool naming_hides(const naming *n, nytp_str shown)
{
    if (n->group != NULL && (nytp_str_is(shown, n->group_name) || (n->pull && nytp_str_is(shown, others))))
        return false;
    return matches(n->filter, shown.bytes, shown.length);
}
