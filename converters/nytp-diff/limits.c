#include "command.h"

#include "base/str.h"
#include "cli/say.h"

#include <glib.h>
#include <math.h>

/* Returns the index of the sub that has that name, with or without its package; -1: there is none. */
static int64_t find_sub(nytp_comparison *comparison, const char *name)
{
    const size_t count = nytp_comparison_count(comparison, NYTP_COMPARE_SUBS);
    int64_t found = -1;
    for (size_t i = 0; i < count; i++) {
        nytp_change c;
        nytp_comparison_get(comparison, NYTP_COMPARE_SUBS, i, NYTP_MEASURE_COUNT, &c);
        if (nytp_str_is(c.name, name))
            return (int64_t)i;
        if (found < 0 && nytp_str_is_sub(c.name, name))
            found = (int64_t)i;
    }
    return found;
}

typedef struct limited {
    const char *what; /* "takes" or "makes" */
    const char *unit; /* " s" or " calls" */
    const char *name;
    const diff_limit *limit;
} limited;

static bool is_over(const limited *l, const nytp_change *c)
{
    const double old = c->median[NYTP_OLD];
    if (!l->limit->given || !(c->difference > fmax(old, 0) * l->limit->percent / 100))
        return false;
    const double percent = old > 0 ? 100 * c->difference / old : HUGE_VAL;
    char sureness[64] = "untested: four profiles of each side are needed";
    if (c->verdict == NYTP_VERDICT_EXACT)
        g_strlcpy(sureness, "the same in all runs", sizeof sureness);
    else if (c->verdict != NYTP_VERDICT_UNTESTED)
        g_snprintf(sureness, sizeof sureness, "p = %.3f", c->p);
    const bool chance = c->verdict == NYTP_VERDICT_CHANCE;
    nytp_say("%s%s %s %.1f %% more %s, over the limit of %g %%: %.6g -> %.6g (%s)",
             chance ? "not judged, chance can explain it: " : "", l->name, l->what, percent, l->unit,
             l->limit->percent, old, c->median[NYTP_NEW], sureness);
    return !chance;
}

static void get(nytp_comparison *comparison, int64_t sub, enum nytp_measure measure, nytp_change *change)
{
    if (sub < 0)
        nytp_comparison_whole(comparison, measure, change);
    else
        nytp_comparison_get(comparison, NYTP_COMPARE_SUBS, (size_t)sub, measure, change);
}

int diff_limits_check(nytp_comparison *comparison, const diff_options *options)
{
    const int64_t sub = options->of != NULL ? find_sub(comparison, options->of) : -1;
    if (options->of != NULL && sub < 0) {
        nytp_say("--of=%s: no profile has a sub of that name", options->of);
        return NYTP_EXIT_FAILED;
    }
    const char *name = options->of != NULL ? options->of : "the program";
    const limited time = {"takes", "time", name, &options->time};
    const limited calls = {"makes", "calls", name, &options->calls};
    nytp_change c;
    get(comparison, sub, NYTP_MEASURE_INCL, &c);
    bool over = is_over(&time, &c);
    get(comparison, sub, NYTP_MEASURE_COUNT, &c);
    over |= is_over(&calls, &c);
    return over ? NYTP_EXIT_OVER : NYTP_EXIT_DONE;
}
