#include "diff.h"

#include "base/closest.h"
#include "base/str.h"
#include "cli/say.h"
#include "compare/comparison.h"

#include <glib.h>
#include <math.h>

/* Returns the index of the sub that has that name, with or without its package; -1: there is none, which it
 * says. */
static int64_t find_sub(nytp_comparison *comparison, const char *name)
{
    const size_t count = nytp_comparison_count(comparison, NYTP_COMPARE_SUBS);
    nytp_closest closest = {.wrong = name};
    int64_t found = -1;
    for (size_t i = 0; i < count; i++) {
        nytp_change c;
        nytp_comparison_get(comparison, NYTP_COMPARE_SUBS, i, NYTP_FIGURE_COUNT, &c);
        if (nytp_str_is(c.name, name))
            return (int64_t)i;
        if (found < 0 && nytp_str_is_sub(c.name, name))
            found = (int64_t)i;
        nytp_closest_try(&closest, c.name.bytes, c.name.length);
    }
    if (found < 0)
        nytp_say("--of=%s: no profile has a sub of that name%s", name, nytp_closest_hint(&closest));
    return found;
}

enum { WHOLE = -1 }; /* in the place of a sub */

typedef struct limited {
    const char *verb; /* "takes" or "makes" */
    const char *unit; /* "time" or "calls" */
    enum nytp_figure figure;
    const diff_limit *limit;
} limited;

static nytp_change change_of(nytp_comparison *comparison, int64_t sub, enum nytp_figure figure)
{
    nytp_change change;
    if (sub == WHOLE)
        nytp_comparison_whole(comparison, figure, &change);
    else
        nytp_comparison_get(comparison, NYTP_COMPARE_SUBS, (size_t)sub, figure, &change);
    return change;
}

/* "takes 12.3 % more time"; a sub that is new has no percentage. */
static char *excess_of(const limited *l, const nytp_change *c)
{
    const double old = c->median[NYTP_OLD];
    return old > 0 ? g_strdup_printf("%s %.1f %% more %s", l->verb, 100 * c->difference / old, l->unit)
                   : g_strdup_printf("%s %s, but none before", l->verb, l->unit);
}

static char *sureness_of(const nytp_change *c)
{
    switch (c->verdict) {
    case NYTP_VERDICT_EXACT: return g_strdup("the same in all runs");
    case NYTP_VERDICT_UNTESTED:
        return g_strdup("a test takes four profiles of each side, and half a percent of the time");
    default: return g_strdup_printf("p = %.3f", c->p);
    }
}

/* Says so if a limit is exceeded. Only a change that is more than chance counts. name: NULL for the program.
 */
static bool is_over(const limited *l, nytp_comparison *comparison, int64_t sub, const char *name)
{
    const nytp_change c = change_of(comparison, sub, l->figure);
    const bool by_share = sub != WHOLE && nytp_comparison_is_by_share(comparison);
    const nytp_measure *measure = nytp_comparison_measure(comparison);
    const double old = c.median[NYTP_OLD];
    if (!l->limit->given || !(c.difference > fmax(old, 0) * l->limit->percent / 100))
        return false;
    const char *doubt = c.verdict == NYTP_VERDICT_CHANCE     ? "not judged, chance can explain it: "
                        : c.verdict == NYTP_VERDICT_UNTESTED ? "not judged, since it was not tested: "
                                                             : "";
    g_autofree char *excess = excess_of(l, &c), *sureness = sureness_of(&c);
    nytp_say("%s%s %s, over the limit of %g %%: %s -> %s (%s)", doubt, name != NULL ? name : "the program",
             excess, l->limit->percent, diff_amount(measure, old, l->figure, by_share).text,
             diff_amount(measure, c.median[NYTP_NEW], l->figure, by_share).text, sureness);
    return *doubt == '\0';
}

/* Says why a limit means nothing for these profiles; NULL if it does not. */
static const char *complaint(const nytp_comparison *comparison, const diff_options *o)
{
    if (nytp_measure_is_bytes(nytp_comparison_measure(comparison)) && o->calls.given)
        return "--fail-calls does not go with profiles of memory: calls were not counted";
    if (!nytp_comparison_is_by_share(comparison))
        return NULL;
    if (o->calls.given)
        return "--fail-calls does not go with profiles of samples: calls were not counted";
    if (o->time.given && o->of == NULL)
        return "profiles of samples may begin and end anywhere, so the program has no time: --fail-over "
               "needs --of";
    return NULL;
}

int diff_limits_check(nytp_comparison *comparison, const diff_options *options)
{
    const int64_t sub = options->of != NULL ? find_sub(comparison, options->of) : WHOLE;
    if (options->of != NULL && sub < 0)
        return NYTP_EXIT_FAILED;
    const char *why = complaint(comparison, options);
    if (why != NULL) {
        nytp_say("%s", why);
        return NYTP_EXIT_FAILED;
    }
    const bool is_bytes = nytp_measure_is_bytes(nytp_comparison_measure(comparison));
    const limited time = {is_bytes ? "has" : "takes", is_bytes ? "memory" : "time", NYTP_FIGURE_INCL,
                          &options->time};
    const limited calls = {"makes", "calls", NYTP_FIGURE_COUNT, &options->calls};
    const bool takes_longer = is_over(&time, comparison, sub, options->of);
    const bool makes_more = is_over(&calls, comparison, sub, options->of);
    return takes_longer || makes_more ? NYTP_EXIT_OVER : NYTP_EXIT_DONE;
}
