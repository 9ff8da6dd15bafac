#include "findings/finder.h"

#include "base/labels.h"
#include "base/order.h"
#include "base/str.h"
#include "export/amount.h"
#include "model/grow.h"
#include "model/load_name.h"
#include "model/names.h"
#include "model/package.h"

#include <math.h>

/* What a rule looks at: all calls of a sub, or those from one line. Calls with labels are those of the sub
 * that has the name without. */
typedef struct called {
    const nytp_arc *arc;                              /* the one with the most time */
    nytp_str name;                                    /* without label */
    nytp_sub sub;                                     /* that of the arc; its name has a label */
    bool one_label;                                   /* all calls have the same, or none has one */
    double count, own_work, incl_ticks, asleep_ticks; /* own_work: exclusive ticks without waiting */
    uint32_t max_depth;
} called;

/* "once", "2 times" */
static const char *times(double count, nytp_amount *text)
{
    *text = nytp_amount_of(count, "time");
    return count == 1 ? "once" : text->text;
}

typedef void rule_fn(nytp_finder *f, const called *c);

/* The name in a sentence: with the label if all calls have it. */
static char *name_of(const nytp_finder *f, const called *c)
{
    return nytp_found_name(f, c->one_label ? c->sub.name : c->name);
}

/* The line of the call, or else its caller, as the subject. */
static nytp_found_place line_of(const nytp_finder *f, const called *c)
{
    nytp_sub caller;
    if (c->arc->fid == 0 && nytp_profile_sub(f->profile, c->arc->caller, &caller)) {
        g_autofree char *name = nytp_found_name(f, caller.name);
        return (nytp_found_place){.subject = g_string_chunk_insert(f->subjects, name), .sub = c->arc->callee};
    }
    return (nytp_found_place){.sub = c->arc->callee, .fid = c->arc->fid, .line = c->arc->line};
}

/* The inclusive time without waiting. */
static double work_of(const nytp_finder *f, const called *c)
{
    return nytp_found_work(f, c->arc->callee, c->incl_ticks);
}

/* Where the sub is or, of one in C, the line that calls it. */
static nytp_found_place place_of_sub(const called *c, const char *subject)
{
    nytp_found_place place = {subject, c->arc->callee, c->arc->fid, c->arc->line};
    const nytp_range *range = nytp_sub_main_range(&c->sub);
    if (range != NULL && range->first_line > 0) {
        place.fid = range->fid;
        place.line = range->first_line;
    }
    return place;
}

/* The work that a short call does is less than the call itself. Inlined, or called once for a list, it would
 * cost a part of it. Any other sub is hot if it has much of the work itself. */
static void find_hot_sub(nytp_finder *f, const called *c)
{
    const double least_count = 10000, most_s = 5e-6, much = 0.15;
    const bool is_sampled = nytp_measure_is_sampled(&f->measure);
    const double each_s = c->own_work / f->measure.ticks_per_base / c->count;
    const bool is_short = !is_sampled && c->count >= least_count && each_s <= most_s;
    nytp_label label;
    if (nytp_sub_op(c->name).length > 0 || nytp_begin_block_length(c->name) > 0 ||
        (nytp_sub_label(f->profile, c->sub.name, &label) && label.kind == NYTP_LABEL_SPAN) ||
        (!is_short && c->own_work < much * f->work_ticks))
        return; /* rules of lines, and of loading, say more of these */
    nytp_sub caller;
    nytp_amount text;
    g_autofree char *sub = name_of(f, c);
    const nytp_found_place place = place_of_sub(c, sub);
    g_autofree char *by = nytp_profile_sub(f->profile, c->arc->caller, &caller) && !nytp_sub_is_root(&caller)
                              ? nytp_found_name(f, caller.name)
                              : g_strdup("code outside of subs");
    if (is_sampled)
        nytp_find(f, NYTP_FOUND_HOT_SUB, c->own_work, place, "itself works, called most by %s", by);
    else
        nytp_find(f, is_short ? NYTP_FOUND_SHORT_CALLS : NYTP_FOUND_HOT_SUB, c->own_work, place,
                  "is called %s, most by %s, and itself works %s each time", times(c->count, &text), by,
                  nytp_amount_measured(&f->measure, each_s).text);
}

static void note_most(nytp_finder *f, const called *c)
{
    if (c->own_work > f->most_ticks) {
        f->most_ticks = c->own_work;
        f->most_sub = c->arc->callee;
    }
}

void nytp_find_even_work(nytp_finder *f)
{
    const double much = 0.05;
    nytp_sub sub;
    bool is_even = f->most_ticks < much * f->work_ticks;
    NYTP_EACH(const nytp_finding, other, f->found)
        is_even &= other->share < much;
    if (!is_even || !nytp_profile_sub(f->profile, f->most_sub, &sub))
        return;
    g_autofree char *name = nytp_found_name(f, sub.name);
    nytp_find(f, NYTP_FOUND_EVEN_WORK, f->most_ticks, (nytp_found_place){"No sub", f->most_sub, 0, 0},
              "takes much of the work, and %s most of all", name);
}

static nytp_amount each_of(const nytp_finder *f, const called *c, double ticks)
{
    return nytp_amount_measured(&f->measure, ticks / f->measure.ticks_per_base / c->count);
}

/* Perl counts patterns that have not changed, too, so the number of calls proves nothing, and the time does.
 */
static void find_regcomp(nytp_finder *f, const called *c)
{
    if (!nytp_str_is(nytp_sub_op(c->name), "regcomp"))
        return;
    nytp_amount text;
    if (nytp_measure_is_sampled(&f->measure))
        nytp_find(f, NYTP_FOUND_REGCOMP, c->own_work, line_of(f, c), "compiles regular expressions");
    else
        nytp_find(f, NYTP_FOUND_REGCOMP, c->own_work, line_of(f, c),
                  "compiles regular expressions, %s, %s each", times(c->count, &text),
                  each_of(f, c, c->own_work).text);
}

/* One that takes 100 us is slow; of others, the time counts. */
static bool is_slow_pattern(const nytp_finder *f, const called *c)
{
    const double slow_s = 1e-4, much = 0.1;
    return (!nytp_measure_is_sampled(&f->measure) &&
            c->own_work / f->measure.ticks_per_base / c->count >= slow_s) ||
           c->own_work >= much * f->work_ticks;
}

/* Backtracking, or a text that is searched again and again. The label says which pattern (labels=regex). */
static void find_slow_pattern(nytp_finder *f, const called *c)
{
    const nytp_str op = nytp_sub_op(c->name);
    const bool replaces = nytp_str_is(op, "subst");
    nytp_label label;
    nytp_amount text;
    if ((!replaces && !nytp_str_is(op, "match")) || !is_slow_pattern(f, c))
        return;
    const bool is_known = c->one_label && nytp_sub_label(f->profile, c->sub.name, &label);
    g_autofree char *pattern = is_known ? nytp_found_name(f, label.text) : g_strdup("patterns");
    const char *does = replaces ? "replaces" : "matches";
    if (nytp_measure_is_sampled(&f->measure))
        nytp_find(f, NYTP_FOUND_PATTERN, c->own_work, line_of(f, c), "%s %s", does, pattern);
    else
        nytp_find(f, NYTP_FOUND_PATTERN, c->own_work, line_of(f, c), "%s %s %s, %s each", does, pattern,
                  times(c->count, &text), each_of(f, c, c->own_work).text);
}

static bool asks_for_files(nytp_str name)
{
    static const char *const ops[] = {"open", "sysopen", "stat", "lstat", "require", "opendir", "open_dir"};
    const nytp_str op = nytp_sub_op(name);
    return nytp_str_index(op, ops, G_N_ELEMENTS(ops)) >= 0 ||
           (op.length > 2 && memcmp(op.bytes, "ft", 2) == 0);
}

/* Whether all calls ask for one file. Sets *label to the parts of their name. */
static bool is_same_file(const nytp_finder *f, const called *c, nytp_label *label)
{
    const double least_count = 100;
    return c->one_label && c->count >= least_count && asks_for_files(c->name) &&
           nytp_sub_label(f->profile, c->sub.name, label) && label->kind == NYTP_LABEL_FILE;
}

/* The answer is the same, or could be kept. */
static void find_same_file(nytp_finder *f, const called *c)
{
    nytp_label label;
    if (!is_same_file(f, c, &label))
        return;
    g_autofree char *sub = nytp_found_name(f, label.base);
    g_autofree char *file = nytp_found_name(f, label.text);
    nytp_find(f, NYTP_FOUND_SAME_FILE, work_of(f, c), line_of(f, c), "calls %s for \"%s\" %s times", sub,
              file, nytp_amount_count(c->count).text);
}

/* Without labels nobody knows whether it is always the same file. */
static void find_file_calls(nytp_finder *f, const called *c)
{
    const double least_count = 1000;
    nytp_label label;
    if (nytp_measure_is_sampled(&f->measure) || c->count < least_count || !asks_for_files(c->name) ||
        is_same_file(f, c, &label))
        return;
    g_autofree char *sub = name_of(f, c);
    nytp_find(f, NYTP_FOUND_FILE_CALLS, work_of(f, c), line_of(f, c), "calls %s %s times", sub,
              nytp_amount_count(c->count).text);
}

/* The program waits for something else, so faster Perl would not help. A server that has nothing to do is not
 * a finding. */
static void find_waiting(nytp_finder *f, const called *c)
{
    const bool knows_line = c->arc->fid != 0 && f->line_waits.count > 0;
    const double ticks =
        knows_line ? fmin(c->asleep_ticks, nytp_found_waits_at(f, c->arc->fid, c->arc->line).asleep_ticks)
                   : c->asleep_ticks;
    if (f->no_waits || ticks <= 0 || nytp_found_idles(f, c->arc, c->name))
        return;
    g_autofree char *sub = name_of(f, c);
    nytp_find(f, NYTP_FOUND_WAITING, ticks, line_of(f, c), "waits in %s", sub);
}

/* Whether a sub calls the blocks that it is given: their work is not its own. */
static bool calls_blocks(nytp_str name)
{
    static const char *const subs[] = {"Try::Tiny::try", "Try::Catch::try", "Error::subs::try",
                                       "TryCatch::try"};
    return nytp_str_index(name, subs, G_N_ELEMENTS(subs)) >= 0;
}

/* Exceptions cost their stack traces, and Try::Tiny two closures and a call for each try. */
static void find_exceptions(nytp_finder *f, const called *c)
{
    static const char *const subs[] = {"Carp::croak", "Carp::confess", "Carp::carp", "Carp::cluck"};
    const bool only_itself = calls_blocks(c->name);
    if (!only_itself && !nytp_ends_with(c->name, "::throw") &&
        nytp_str_index(c->name, subs, G_N_ELEMENTS(subs)) < 0)
        return;
    g_autofree char *sub = name_of(f, c);
    const double ticks = only_itself ? c->own_work : work_of(f, c);
    const nytp_found_place place = place_of_sub(c, sub);
    const char *what = only_itself ? "without its blocks" : "and what it calls";
    if (nytp_measure_is_sampled(&f->measure))
        nytp_find(f, NYTP_FOUND_EXCEPTIONS, ticks, place, "%s", what);
    else
        nytp_find(f, NYTP_FOUND_EXCEPTIONS, ticks, place, "%s, %s calls", what,
                  nytp_amount_count(c->count).text);
}

/* Perl keeps a frame for each level, and warns from 100 on. */
static void find_recursion(nytp_finder *f, const called *c)
{
    enum { DEEP = 1000 };
    if (c->max_depth <= DEEP)
        return;
    g_autofree char *sub = name_of(f, c);
    nytp_find(f, NYTP_FOUND_RECURSION, work_of(f, c), place_of_sub(c, sub), "calls itself, up to %s deep",
              nytp_amount_count(c->max_depth).text);
}

/* Subs that no line of the program names: perl calls them. AUTOLOAD calls what it stands for, which is not
 * its work. */
static void find_magic(nytp_finder *f, const called *c)
{
    static const char *const ends[] = {"::DESTROY",  "::FETCH",   "::STORE",  "::TIEHASH",  "::TIEARRAY",
                                       "::FIRSTKEY", "::NEXTKEY", "::EXISTS", "::FETCHSIZE"};
    const bool is_autoload = nytp_ends_with(c->name, "::AUTOLOAD");
    bool is = is_autoload;
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        is |= nytp_ends_with(c->name, ends[i]);
    if (!is)
        return;
    nytp_amount text;
    g_autofree char *sub = name_of(f, c);
    const double ticks = is_autoload ? c->own_work : work_of(f, c);
    const nytp_found_place place = place_of_sub(c, "perl");
    if (nytp_measure_is_sampled(&f->measure))
        nytp_find(f, NYTP_FOUND_MAGIC, ticks, place, "calls %s, without a call in the source", sub);
    else
        nytp_find(f, NYTP_FOUND_MAGIC, ticks, place, "calls %s by itself, %s", sub, times(c->count, &text));
}

typedef struct base_arc {
    uint32_t base; /* number of the name without label */
    const nytp_arc *arc;
} base_arc;

/* Calls of which no line is known are those of their caller. */
static uint32_t caller_if_no_line(const nytp_arc *arc)
{
    return arc->fid == 0 ? arc->caller : 0;
}

static int by_base_and_line(const void *a, const void *b)
{
    const base_arc *x = a, *y = b;
    const int place = nytp_order4(NYTP_ORDER(x->base, y->base), NYTP_ORDER(x->arc->fid, y->arc->fid),
                                  NYTP_ORDER(x->arc->line, y->arc->line),
                                  NYTP_ORDER(caller_if_no_line(x->arc), caller_if_no_line(y->arc)));
    return place != 0 ? place : NYTP_ORDER(x->arc->callee, y->arc->callee);
}

static bool same_line(const nytp_arc *a, const nytp_arc *b)
{
    return a->fid == b->fid && a->line == b->line && caller_if_no_line(a) == caller_if_no_line(b);
}

static void add_arc(const nytp_finder *f, called *to, const nytp_arc *arc)
{
    to->one_label = to->arc == NULL || (to->one_label && to->arc->callee == arc->callee);
    if (to->arc == NULL || arc->incl_ticks > to->arc->incl_ticks) {
        nytp_label label;
        to->arc = arc;
        nytp_profile_sub(f->profile, arc->callee, &to->sub);
        nytp_sub_label(f->profile, to->sub.name, &label);
        to->name = label.base;
    }
    to->count += (double)arc->count;
    to->own_work += nytp_found_own_work(f, arc, to->name);
    to->incl_ticks += (double)arc->incl_ticks;
    to->asleep_ticks += nytp_found_asleep(f, arc, to->name);
    to->max_depth = MAX(to->max_depth, arc->max_depth);
}

/* Arcs that count calls, those of one sub together, and among these those of one line. */
static GArray *arcs_by_base(const nytp_profile *profile)
{
    nytp_names *bases = nytp_names_new();
    GArray *arcs = NYTP_ARRAY(base_arc);
    for (size_t i = 0; i < nytp_profile_arc_count(profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(profile, i);
        nytp_sub sub;
        nytp_label label;
        if (arc->count == 0 || !nytp_profile_sub(profile, arc->callee, &sub))
            continue;
        nytp_sub_label(profile, sub.name, &label);
        const base_arc of = {nytp_names_intern(bases, &label.base, NULL), arc};
        g_array_append_val(arcs, of);
    }
    nytp_names_free(bases);
    g_array_sort(arcs, by_base_and_line);
    return arcs;
}

static void apply(nytp_finder *f, const called *c, rule_fn *const *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rules[i](f, c);
}

void nytp_find_in_calls(nytp_finder *f)
{
    static rule_fn *const of_labels[] = {find_same_file};
    static rule_fn *const of_lines[] = {find_regcomp, find_slow_pattern, find_file_calls, find_waiting};
    static rule_fn *const of_subs[] = {note_most, find_hot_sub, find_exceptions, find_recursion, find_magic};
    g_autoptr(GArray) arcs = arcs_by_base(f->profile);
    called label = {0}, line = {0}, sub = {0};
    for (guint i = 0; i < arcs->len; i++) {
        const base_arc *at = &g_array_index(arcs, base_arc, i), *next = i + 1 < arcs->len ? at + 1 : NULL;
        add_arc(f, &label, at->arc);
        add_arc(f, &line, at->arc);
        add_arc(f, &sub, at->arc);
        const bool ends_sub = next == NULL || next->base != at->base;
        const bool ends_line = ends_sub || !same_line(next->arc, at->arc);
        if (ends_line || next->arc->callee != at->arc->callee) {
            apply(f, &label, of_labels, G_N_ELEMENTS(of_labels));
            label = (called){0};
        }
        if (ends_line) {
            apply(f, &line, of_lines, G_N_ELEMENTS(of_lines));
            line = (called){0};
        }
        if (ends_sub) {
            apply(f, &sub, of_subs, G_N_ELEMENTS(of_subs));
            sub = (called){0};
        }
    }
}
