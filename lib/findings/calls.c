#include "findings/calls.h"

#include "base/str.h"
#include "export/amount.h"
#include "model/load_name.h"
#include "model/waits.h"

#include <math.h>

/* What a rule looks at: one arc, or all arcs of a sub. */
typedef struct called {
    const nytp_arc *arc; /* of a sub: the one with the most time */
    nytp_sub sub;
    double count, excl_ticks, incl_ticks;
    uint32_t max_depth;
} called;

/* "once", "2 times" */
static const char *times(double count, nytp_amount *text)
{
    *text = nytp_amount_of(count, "time");
    return count == 1 ? "once" : text->text;
}

typedef void rule_fn(nytp_finder *f, const called *c);

static nytp_found_place place_of(const called *c)
{
    return (nytp_found_place){c->arc->callee, c->arc->fid, c->arc->line};
}

/* ---- one arc: calls of a sub from one line ---- */

/* The work that such a call does is less than the call itself. Inlined, or called once for a list, it would
 * cost a part of it. */
static void find_short_calls(nytp_finder *f, const called *c)
{
    const double least_count = 10000, most_s = 5e-6;
    const double each_s = c->excl_ticks / f->ticks_per_s / c->count;
    if (f->sampled || c->sub.kind == NYTP_SUB_OPCODE || c->count < least_count || each_s > most_s)
        return;
    g_autofree char *line = nytp_found_line(f, c->arc->fid, c->arc->line);
    g_autofree char *sub = nytp_found_sub(f, c->arc->callee);
    nytp_find(f, NYTP_FOUND_SHORT_CALLS, c->excl_ticks, place_of(c), "%s calls %s %s times, %s each", line,
              sub, nytp_amount_count(c->count).text, nytp_amount_time(each_s).text);
}

/* Perl counts patterns that have not changed, too, so the number of calls proves nothing, and the time does.
 */
static void find_regcomp(nytp_finder *f, const called *c)
{
    if (!nytp_ends_with(c->sub.name, "::CORE:regcomp"))
        return;
    nytp_amount text;
    g_autofree char *line = nytp_found_line(f, c->arc->fid, c->arc->line);
    if (f->sampled)
        nytp_find(f, NYTP_FOUND_REGCOMP, c->incl_ticks, place_of(c), "%s compiles regular expressions", line);
    else
        nytp_find(f, NYTP_FOUND_REGCOMP, c->incl_ticks, place_of(c),
                  "%s compiles regular expressions, %s, %s each", line, times(c->count, &text),
                  nytp_amount_time(c->incl_ticks / f->ticks_per_s / c->count).text);
}

static bool asks_for_files(nytp_str name)
{
    static const char *const ends[] = {"::CORE:open",    "::CORE:stat",    "::CORE:lstat",
                                       "::CORE:require", "::CORE:opendir", "::CORE:open_dir"};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        if (nytp_ends_with(name, ends[i]))
            return true;
    static const char test[] = "::CORE:ft";
    return memmem(name.bytes, name.length, test, strlen(test)) != NULL;
}

/* The same file, or one that is not there, again and again: a cache of answers helps. */
static void find_file_calls(nytp_finder *f, const called *c)
{
    const double least_count = 1000;
    if (f->sampled || c->count < least_count || !asks_for_files(c->sub.name))
        return;
    g_autofree char *line = nytp_found_line(f, c->arc->fid, c->arc->line);
    g_autofree char *sub = nytp_found_sub(f, c->arc->callee);
    nytp_find(f, NYTP_FOUND_FILE_CALLS, c->incl_ticks, place_of(c), "%s calls %s %s times", line, sub,
              nytp_amount_count(c->count).text);
}

/* ---- all arcs of a sub ---- */

/* Exceptions cost their stack traces, and Try::Tiny two closures and a call for each try. */
static void find_exceptions(nytp_finder *f, const called *c)
{
    static const char *const subs[] = {"Carp::croak", "Carp::confess", "Carp::carp", "Carp::cluck",
                                       "Try::Tiny::try"};
    bool is = nytp_ends_with(c->sub.name, "::throw");
    for (size_t i = 0; i < G_N_ELEMENTS(subs); i++)
        is |= nytp_str_is(c->sub.name, subs[i]);
    if (!is)
        return;
    g_autofree char *sub = nytp_found_sub(f, c->arc->callee);
    if (f->sampled)
        nytp_find(f, NYTP_FOUND_EXCEPTIONS, c->incl_ticks, place_of(c), "%s and what it calls", sub);
    else
        nytp_find(f, NYTP_FOUND_EXCEPTIONS, c->incl_ticks, place_of(c), "%s and what it calls, %s calls", sub,
                  nytp_amount_count(c->count).text);
}

/* The program waits for something else, so faster Perl would not help. */
static void find_waiting(nytp_finder *f, const called *c)
{
    if (!nytp_sub_waits(c->sub.name))
        return;
    g_autofree char *sub = nytp_found_sub(f, c->arc->callee);
    g_autofree char *line = nytp_found_line(f, c->arc->fid, c->arc->line);
    nytp_find(f, NYTP_FOUND_WAITING, c->excl_ticks, place_of(c), "%s waits in %s", line, sub);
}

/* Perl keeps a frame for each level, and warns from 100 on. */
static void find_recursion(nytp_finder *f, const called *c)
{
    enum { DEEP = 1000 };
    if (c->max_depth <= DEEP)
        return;
    g_autofree char *sub = nytp_found_sub(f, c->arc->callee);
    nytp_find(f, NYTP_FOUND_RECURSION, c->incl_ticks, place_of(c), "%s calls itself, up to %s deep", sub,
              nytp_amount_count(c->max_depth).text);
}

/* Subs that no line of the program names: perl calls them. */
static void find_magic(nytp_finder *f, const called *c)
{
    static const char *const ends[] = {"::AUTOLOAD", "::DESTROY",  "::FETCH",   "::STORE",  "::TIEHASH",
                                       "::TIEARRAY", "::FIRSTKEY", "::NEXTKEY", "::EXISTS", "::FETCHSIZE"};
    bool is = false;
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        is |= nytp_ends_with(c->sub.name, ends[i]);
    if (!is)
        return;
    nytp_amount text;
    g_autofree char *sub = nytp_found_sub(f, c->arc->callee);
    if (f->sampled)
        nytp_find(f, NYTP_FOUND_MAGIC, c->incl_ticks, place_of(c),
                  "perl calls %s, without a call in the source", sub);
    else
        nytp_find(f, NYTP_FOUND_MAGIC, c->incl_ticks, place_of(c), "%s, which perl calls by itself, %s", sub,
                  times(c->count, &text));
}

/* ---- all of them ---- */

static void add_to_sub(called *to, const called *arc)
{
    if (to->arc == NULL || arc->incl_ticks > (double)to->arc->incl_ticks)
        to->arc = arc->arc;
    to->sub = arc->sub;
    to->count += arc->count;
    to->excl_ticks += arc->excl_ticks;
    to->incl_ticks += arc->incl_ticks;
    to->max_depth = MAX(to->max_depth, arc->max_depth);
}

static void apply(nytp_finder *f, const called *c, rule_fn *const *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rules[i](f, c);
}

void nytp_find_in_calls(nytp_finder *f)
{
    static rule_fn *const of_arcs[] = {find_short_calls, find_regcomp, find_file_calls};
    static rule_fn *const of_subs[] = {find_exceptions, find_waiting, find_recursion, find_magic};
    const size_t subs = nytp_profile_sub_count(f->profile);
    called *by_sub = g_new0(called, subs);
    for (size_t i = 0; i < nytp_profile_arc_count(f->profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(f->profile, i);
        called c = {.arc = arc,
                    .count = (double)arc->count,
                    .excl_ticks = (double)arc->excl_ticks,
                    .incl_ticks = (double)arc->incl_ticks,
                    .max_depth = arc->max_depth};
        nytp_profile_sub(f->profile, arc->callee, &c.sub);
        if (arc->count == 0)
            continue;
        apply(f, &c, of_arcs, G_N_ELEMENTS(of_arcs));
        add_to_sub(&by_sub[arc->callee], &c);
    }
    for (size_t i = 0; i < subs; i++)
        if (by_sub[i].arc != NULL)
            apply(f, &by_sub[i], of_subs, G_N_ELEMENTS(of_subs));
    g_free(by_sub);
}
