#include "calls.h"

#include "base/str.h"
#include "nytprof-model.h"

#include <glib.h>
#include <string.h>

static const char others[] = "other";

static bool matches(const GRegex *regex, const char *bytes, size_t length)
{
    return regex != NULL && g_regex_match_full(regex, bytes, (gssize)length, 0, 0, NULL, NULL);
}

char *dprofpp_group_name(const dprofpp_options *options)
{
    return nytp_name_clean(nytp_str_of(g_regex_get_pattern(options->group)));
}

/* A sub that -f leaves out does not join a group. */
char *dprofpp_rename(void *context, nytp_str raw, size_t *length)
{
    const dprofpp_options *o = context;
    char *name = nytp_name_clean(raw);
    *length = strlen(name);
    const bool is_of_group = matches(o->group, name, *length);
    if (o->group == NULL || (!is_of_group && !o->pull) || matches(o->filter, name, *length))
        return name;
    g_free(name);
    name = is_of_group ? dprofpp_group_name(o) : g_strdup(others);
    *length = strlen(name);
    return name;
}

bool dprofpp_hides(const dprofpp_options *o, nytp_str shown)
{
    g_autofree char *group = o->group != NULL ? dprofpp_group_name(o) : NULL;
    if (group != NULL && (nytp_str_is(shown, group) || (o->pull && nytp_str_is(shown, others))))
        return false;
    return matches(o->filter, shown.bytes, shown.length);
}
