#include "findings/causes.h"

#include "compare/comparison.h"
#include "export/amount.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How sentences name a label, and what happens when it is counted. */
typedef struct label_words {
    const char *noun, *verb, *counted; /* counted: the plural adds an s */
} label_words;

static const label_words words_of_labels[] = {
    [NYTP_LABEL_NONE] = {"label", "is called", "call"},
    [NYTP_LABEL_SQL] = {"query", "runs", "run"},
    [NYTP_LABEL_REGEX] = {"pattern", "runs", "run"},
    [NYTP_LABEL_FILE] = {"file", "is used", "use"},
    [NYTP_LABEL_COMMAND] = {"command", "runs", "run"},
    [NYTP_LABEL_HOST] = {"host", "is used", "use"},
    [NYTP_LABEL_HTTP] = {"address", "is requested", "request"},
    [NYTP_LABEL_TEMPLATE] = {"template", "runs", "run"},
    [NYTP_LABEL_CALL] = {"label", "is called", "call"},
    [NYTP_LABEL_SPAN] = {"request", "comes", "request"},
};

const char *const nytp_cause_kinds[NYTP_CAUSE_KINDS] = {
    [NYTP_CAUSE_CALLS] = "calls", [NYTP_CAUSE_CYCLE] = "recursion", [NYTP_CAUSE_EACH] = "each",
    [NYTP_CAUSE_NEW] = "new",     [NYTP_CAUSE_GONE] = "gone",       [NYTP_CAUSE_SELF] = "self",
    [NYTP_CAUSE_ALL] = "all",     [NYTP_CAUSE_QUEUED] = "queued"};

typedef struct saying {
    nytp_comparison *comparison;
    const nytp_cause *cause;
    nytp_cause_text text;
    label_words words;
} saying;

/* Long texts keep their begin and their end, which may be where they differ. */
static void put_short(GString *to, const char *text)
{
    enum { MOST_CHARS = 100, BEGIN = 70, END = 25 };
    const glong length = g_utf8_strlen(text, -1);
    if (length <= MOST_CHARS) {
        g_string_append(to, text);
        return;
    }
    g_string_append_len(to, text, g_utf8_offset_to_pointer(text, BEGIN) - text);
    g_string_append(to, " ... ");
    g_string_append(to, g_utf8_offset_to_pointer(text, length - END));
}

static void put_name(saying *s, size_t sub, size_t label)
{
    const bool is_label = label != SIZE_MAX;
    GString *to = s->text.sentence;
    nytp_change change;
    if (!is_label && sub == SIZE_MAX) {
        g_string_append(to, "code outside of subs");
        return;
    }
    nytp_comparison_get(s->comparison, is_label ? NYTP_COMPARE_LABELS : NYTP_COMPARE_SUBS,
                        is_label ? label : sub, NYTP_FIGURE_COUNT, &change);
    char *clean = nytp_name_clean(is_label ? nytp_comparison_label(change.name).text : change.name);
    if (is_label)
        g_string_append_printf(to, "%s \"", s->words.noun);
    nytp_cause_name *name = &s->text.names[s->text.name_count++];
    *name = (nytp_cause_name){.at = to->len, .sub = sub, .label = label};
    put_short(to, clean);
    name->length = to->len - name->at;
    if (is_label)
        g_string_append_c(to, '"');
    free(clean);
}

static void put_subject(saying *s)
{
    put_name(s, s->cause->sub, s->cause->label);
}

/* "3 times as often", "40 % less often"; a number near 1 has a digit more. */
static void put_factor(GString *to, const double values[NYTP_SIDES], const char *as, const char *more,
                       const char *less)
{
    const double factor = values[NYTP_NEW] / values[NYTP_OLD], percent = 100 * fabs(factor - 1);
    if (factor >= 2)
        g_string_append_printf(
            to, factor < 10 && fabs(factor - round(factor)) >= 0.05 ? "%.1f times as %s" : "%.0f times as %s",
            factor, as);
    else
        g_string_append_printf(to, percent < 1 ? "%.1f %% %s" : "%.0f %% %s", percent,
                               factor > 1 ? more : less);
}

/* "100 to 300 calls", "1 call" */
static void put_calls(const saying *s, GString *to)
{
    const double old = s->cause->calls[NYTP_OLD], new = s->cause->calls[NYTP_NEW];
    if (old > 0 && new > 0)
        g_string_append_printf(to, "%s to ", nytp_amount_count(old).text);
    g_string_append(to, nytp_amount_of(new > 0 ? new : old, s->words.counted).text);
}

/* "3 times as often (100 to 300 calls)", "now (100 calls)" */
static void put_how_often(const saying *s)
{
    const double *calls = s->cause->calls;
    GString *to = s->text.sentence;
    if (calls[NYTP_OLD] > 0 && calls[NYTP_NEW] > 0)
        put_factor(to, calls, "often", "more often", "less often");
    else
        g_string_append(to, calls[NYTP_NEW] > 0 ? "now" : "no longer");
    g_string_append(to, " (");
    put_calls(s, to);
    g_string_append_c(to, ')');
}

static void put_caller(saying *s)
{
    const nytp_cause *c = s->cause;
    if (c->callers == 0)
        return;
    g_string_append(s->text.sentence, c->label != SIZE_MAX ? ", in " : ", by ");
    put_name(s, c->caller, SIZE_MAX);
    if (c->callers > 1)
        g_string_append_printf(s->text.sentence, " and %zu other%s", c->callers - 1,
                               c->callers > 2 ? "s" : "");
}

/* How often the callee is called by a call of the caller. */
static double rate(const nytp_cause *c, enum nytp_side side)
{
    return c->calls[side] / c->caller_calls[side];
}

static void put_rate(GString *to, double times)
{
    g_string_append_printf(to, times >= 10 || fabs(times - round(times)) < 0.005 ? "%.0f" : "%.2f", times);
}

/* The caller is called more often, too, or less often. */
static void say_by_rate(saying *s)
{
    const nytp_cause *c = s->cause;
    GString *to = s->text.sentence;
    put_name(s, c->caller, SIZE_MAX);
    g_string_append(to, c->label != SIZE_MAX ? " runs " : " calls ");
    put_subject(s);
    g_string_append(to, rate(c, NYTP_NEW) > rate(c, NYTP_OLD) ? " more often each time ("
                                                              : " less often each time (");
    put_rate(to, rate(c, NYTP_OLD));
    g_string_append(to, " to ");
    put_rate(to, rate(c, NYTP_NEW));
    g_string_append(to, " times, ");
    put_calls(s, to);
    g_string_append(to, " in all)");
}

/* The caller did not call it before, or does not call it any more. */
static void say_other_caller(saying *s)
{
    GString *to = s->text.sentence;
    put_name(s, s->cause->caller, SIZE_MAX);
    g_string_append(to, s->cause->calls[NYTP_OLD] > 0 ? " no longer calls " : " now calls ");
    put_subject(s);
    g_string_append(to, " (");
    put_calls(s, to);
    g_string_append_c(to, ')');
}

static void say_calls(saying *s)
{
    const nytp_cause *c = s->cause;
    GString *to = s->text.sentence;
    if (!(c->calls[NYTP_OLD] > 0 && c->calls[NYTP_NEW] > 0)) {
        say_other_caller(s);
        return;
    }
    if (c->callers > 0 && c->caller_calls[NYTP_OLD] != c->caller_calls[NYTP_NEW]) {
        say_by_rate(s);
        return;
    }
    put_subject(s);
    g_string_append_printf(to, " %s ", s->words.verb);
    put_how_often(s);
    put_caller(s);
}

/* "main::f calls itself 3 times as often", "main::f, main::g and 1 other call each other ..." */
static void say_cycle(saying *s)
{
    const nytp_cause *c = s->cause;
    GString *to = s->text.sentence;
    put_subject(s);
    if (c->callers > 1) {
        g_string_append(to, c->callers > 2 ? ", " : " and ");
        put_name(s, c->caller, SIZE_MAX);
    }
    if (c->callers > 2)
        g_string_append_printf(to, " and %zu other%s", c->callers - 2, c->callers > 3 ? "s" : "");
    g_string_append(to, c->callers > 1 ? " call each other " : " calls itself ");
    put_how_often(s);
}

static void say_each(saying *s)
{
    const nytp_cause *c = s->cause;
    const nytp_measure *measure = nytp_comparison_measure(s->comparison);
    const bool once = c->calls[NYTP_OLD] == 1 && c->calls[NYTP_NEW] == 1;
    GString *to = s->text.sentence;
    put_subject(s);
    g_string_append(to, c->sub == SIZE_MAX && c->label == SIZE_MAX ? " takes " : " itself takes ");
    put_factor(to, c->each, "long", "longer", "shorter");
    if (!once)
        g_string_append_printf(to, " in each %s", s->words.counted);
    g_string_append_printf(to, " (%s to %s)", nytp_amount_measured(measure, c->each[NYTP_OLD]).text,
                           nytp_amount_measured(measure, c->each[NYTP_NEW]).text);
}

/* "everything is 1.5 times slower, and not single subs" */
static void say_all(saying *s)
{
    const double factor = s->cause->each[NYTP_NEW];
    g_string_append_printf(s->text.sentence, "everything is %.1f times %s%s", fmax(factor, 1 / factor),
                           factor > 1 ? "slower" : "faster",
                           nytp_both_queued_much(s->comparison) ? ": the machine" : ", and not single subs");
}

static void say_queued(saying *s)
{
    const nytp_measure *measure = nytp_comparison_measure(s->comparison);
    const double *queued_s = s->cause->each;
    g_string_append_printf(s->text.sentence, "it waited %s for a processor (%s to %s)",
                           queued_s[NYTP_NEW] > queued_s[NYTP_OLD] ? "longer" : "shorter",
                           nytp_amount_measured(measure, queued_s[NYTP_OLD]).text,
                           nytp_amount_measured(measure, queued_s[NYTP_NEW]).text);
}

static void say_new_or_gone(saying *s)
{
    g_string_append(s->text.sentence, s->cause->kind == NYTP_CAUSE_NEW ? "new: " : "gone: ");
    put_subject(s);
    g_string_append(s->text.sentence, " (");
    put_calls(s, s->text.sentence);
    g_string_append_c(s->text.sentence, ')');
    put_caller(s);
}

static nytp_amount amount_of(const saying *s, double amount)
{
    nytp_amount a;
    if (!nytp_comparison_is_by_share(s->comparison))
        return nytp_amount_measured(nytp_comparison_measure(s->comparison), amount);
    snprintf(a.text, sizeof a.text, "%.1f %%", 100 * amount);
    return a;
}

static void say_self(saying *s)
{
    const bool is_share = nytp_comparison_is_by_share(s->comparison);
    put_subject(s);
    if (s->cause->sub != SIZE_MAX)
        g_string_append(s->text.sentence, " itself");
    g_string_append_printf(s->text.sentence, " %s %s%s, not %s", is_share ? "takes" : "has",
                           amount_of(s, s->cause->each[NYTP_NEW]).text, is_share ? " of the time" : "",
                           amount_of(s, s->cause->each[NYTP_OLD]).text);
}

char *nytp_causes_heading(const nytp_comparison *comparison)
{
    const size_t old = nytp_comparison_runs(comparison, NYTP_OLD),
                 new = nytp_comparison_runs(comparison, NYTP_NEW);
    const bool knows_error =
        nytp_comparison_is_by_share(comparison) || nytp_measure_is_bytes(nytp_comparison_measure(comparison));
    if (knows_error || !nytp_runs_are_few(old, new))
        return g_strdup("What caused the difference");
    return old == 1 && new == 1 ? g_strdup("What differs (one run each: may be chance)")
                                : g_strdup_printf("What differs (%zu and %zu runs: may be chance)", old, new);
}

nytp_cause_text nytp_cause_say(nytp_comparison *comparison, const nytp_cause *cause)
{
    static void (*const say[])(saying *) = {
        [NYTP_CAUSE_CALLS] = say_calls,     [NYTP_CAUSE_CYCLE] = say_cycle,      [NYTP_CAUSE_EACH] = say_each,
        [NYTP_CAUSE_NEW] = say_new_or_gone, [NYTP_CAUSE_GONE] = say_new_or_gone, [NYTP_CAUSE_SELF] = say_self,
        [NYTP_CAUSE_ALL] = say_all,         [NYTP_CAUSE_QUEUED] = say_queued};
    saying s = {.comparison = comparison, .cause = cause, .words = {"", "is called", "call"}};
    s.text.sentence = g_string_new(NULL);
    if (cause->label != SIZE_MAX) {
        nytp_change change;
        nytp_comparison_get(comparison, NYTP_COMPARE_LABELS, cause->label, NYTP_FIGURE_COUNT, &change);
        s.words = words_of_labels[nytp_comparison_label(change.name).kind];
    }
    say[cause->kind](&s);
    return s.text;
}
