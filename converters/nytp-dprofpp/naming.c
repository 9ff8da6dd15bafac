#include "calls.h"

#include "base/str.h"
#include "nytprof-model.h"

#include <glib.h>
#include <string.h>

struct dprofpp_naming {
    GRegex *group, *filter; /* NULL: not given */
    char *group_name;       /* the expression itself, as a clean name; NULL: not given */
    bool pull;
};

static const char others[] = "other";

/* Compiles a regular expression in Perl's syntax that matches bytes, as in dprofpp. pattern may be NULL. */
static bool compile(const char *pattern, const char *option, GRegex **regex, char **why)
{
    g_autoptr(GError) error = NULL;
    if (pattern == NULL)
        return true;
    *regex = g_regex_new(pattern, G_REGEX_OPTIMIZE | G_REGEX_RAW, 0, &error);
    if (*regex != NULL)
        return true;
    *why = g_strdup_printf("%s '%s': %s", option, pattern, error->message);
    return false;
}

dprofpp_naming *dprofpp_naming_new(const dprofpp_options *options, char **why)
{
    dprofpp_naming *n = g_new0(dprofpp_naming, 1);
    n->pull = options->pull;
    if (options->group != NULL)
        n->group_name = nytp_name_clean(nytp_str_of(options->group));
    if (compile(options->group, "-G", &n->group, why) && compile(options->filter, "-f", &n->filter, why))
        return n;
    dprofpp_naming_free(n);
    return NULL;
}

void dprofpp_naming_free(dprofpp_naming *n)
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

/* A sub that -f leaves out does not join a group. */
char *dprofpp_naming_rename(void *context, nytp_str raw, size_t *length)
{
    dprofpp_naming *n = context;
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

bool dprofpp_naming_hides(const dprofpp_naming *n, nytp_str shown)
{
    if (n->group != NULL && (nytp_str_is(shown, n->group_name) || (n->pull && nytp_str_is(shown, others))))
        return false;
    return matches(n->filter, shown.bytes, shown.length);
}
