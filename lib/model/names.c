#include "model/names.h"

#include "base/closest.h"
#include "base/str.h"
#include "base/stringtable.h"
#include "model/group.h"

struct nytp_names {
    nytp_strings *strings;
    nytp_recent_name recent[NYTP_RECENT_NAMES];
};

nytp_names *nytp_names_new(void)
{
    nytp_names *names = g_new0(nytp_names, 1);
    names->strings = nytp_strings_new();
    if (names->strings == NULL)
        g_error("out of memory for names");
    return names;
}

void nytp_names_free(nytp_names *names)
{
    if (names == NULL)
        return;
    nytp_strings_free(names->strings);
    g_free(names);
}

/* Looks up a name that is not in its slot of recent names. recent: that slot; NULL if it has none. */
static __attribute__((noinline)) uint32_t intern_other(nytp_names *names, const nytp_str *name, bool *added,
                                                       nytp_recent_name *recent)
{
    /* NOLINTNEXTLINE: clang thinks that a slot at NULL means names at NULL */
    const uint32_t count = nytp_strings_count(names->strings);
    int64_t number = nytp_strings_intern_str(names->strings, name);
    if (number < 0)
        g_error("out of memory for names");
    if (added != NULL)
        *added = number == count;
    if (recent != NULL) {
        const nytp_str kept = nytp_strings_str(names->strings, (uint32_t)number);
        nytp_recent_name_set(recent, &kept, (uint32_t)number);
    }
    return (uint32_t)number;
}

uint32_t nytp_names_intern(nytp_names *names, const nytp_str *name, bool *added)
{
    nytp_recent_name *recent = nytp_recent_name_slot(names->recent, name);
    if (recent == NULL || !nytp_recent_name_is(recent, name))
        return intern_other(names, name, added, recent);
    if (added != NULL)
        *added = false;
    return recent->number;
}

int64_t nytp_names_find(const nytp_names *names, const nytp_str *name)
{
    return nytp_strings_find(names->strings, name->bytes, name->length);
}

nytp_str nytp_names_get(const nytp_names *names, uint32_t number)
{
    return nytp_strings_str(names->strings, number);
}

uint32_t nytp_names_count(const nytp_names *names)
{
    return nytp_strings_count(names->strings);
}

static gint compare_names(gconstpointer a, gconstpointer b, gpointer context)
{
    const nytp_names *names = context;
    return nytp_str_order(nytp_names_get(names, *(const uint32_t *)a),
                          nytp_names_get(names, *(const uint32_t *)b));
}

uint32_t *nytp_names_ranks(const nytp_names *names)
{
    uint32_t count = nytp_names_count(names);
    g_autofree uint32_t *sorted = nytp_group_order(count, compare_names, names);
    uint32_t *ranks = g_new(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        ranks[sorted[i]] = i;
    return ranks;
}

uint32_t nytp_names_find_sub(const nytp_names *names, const char *name, char **why)
{
    nytp_closest closest = {.wrong = name};
    for (uint32_t i = 0; i < nytp_names_count(names); i++) {
        nytp_str own = nytp_names_get(names, i);
        if (nytp_str_is(own, name))
            return i;
        nytp_closest_try(&closest, own.bytes, own.length);
    }
    *why = g_strdup_printf("no calls of '%s'%s", name, nytp_closest_hint(&closest));
    return UINT32_MAX;
}
