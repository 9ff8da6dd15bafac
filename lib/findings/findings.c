#include "findings/findings.h"

#include "base/order.h"
#include "findings/finder.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/measure.h"

#include <string.h>

enum { MOST = 7 };

const char *const nytp_rule_names[NYTP_FOUND_RULES] = {[NYTP_FOUND_UNUSED_MODULE] = "unused-module",
                                                       [NYTP_FOUND_SHORT_CALLS] = "short-calls",
                                                       [NYTP_FOUND_HOT_SUB] = "hot-sub",
                                                       [NYTP_FOUND_HEAVY_SUB] = "heavy-sub",
                                                       [NYTP_FOUND_EVEN_WORK] = "even-work",
                                                       [NYTP_FOUND_LOADING] = "loading",
                                                       [NYTP_FOUND_HOT_LINE] = "hot-line",
                                                       [NYTP_FOUND_REGCOMP] = "regcomp",
                                                       [NYTP_FOUND_PATTERN] = "slow-pattern",
                                                       [NYTP_FOUND_FILE_CALLS] = "file-calls",
                                                       [NYTP_FOUND_SAME_FILE] = "same-file",
                                                       [NYTP_FOUND_QUERIES] = "repeated-query",
                                                       [NYTP_FOUND_SPAN] = "heavy-span",
                                                       [NYTP_FOUND_GROWTH] = "growth",
                                                       [NYTP_FOUND_EXCEPTIONS] = "exceptions",
                                                       [NYTP_FOUND_WAITING] = "waiting",
                                                       [NYTP_FOUND_BUSY_MACHINE] = "busy-machine",
                                                       [NYTP_FOUND_SLOW_PROCESS] = "slow-process",
                                                       [NYTP_FOUND_RECURSION] = "recursion",
                                                       [NYTP_FOUND_FIRST_CALL] = "first-call",
                                                       [NYTP_FOUND_EVALS] = "evals",
                                                       [NYTP_FOUND_MAGIC] = "magic",
                                                       [NYTP_FOUND_PROFILER] = "profiler",
                                                       [NYTP_FOUND_COMPILED_CODE] = "compiled-code",
                                                       [NYTP_FOUND_HOLDER] = "memory-holder",
                                                       [NYTP_FOUND_ARENAS] = "arenas"};

struct nytp_findings {
    GArray *all; /* nytp_finding, at most MOST */
};

static void clear_finding(gpointer finding)
{
    const nytp_finding *f = finding;
    g_free((char *)f->text);
    g_free((char *)f->share_of);
    g_free((char *)f->without_place);
    g_free((char *)f->path);
    g_free((char *)f->repeated);
}

/* What the program waits for most of the time is the answer, and other waiting has no share of the work. That
 * others had the processors, or how much the profiler took, says nothing of the program. */
static int rank_of(const nytp_finding *f)
{
    switch (f->rule) {
    case NYTP_FOUND_SLOW_PROCESS: return 0;
    case NYTP_FOUND_EVEN_WORK: return 1;
    case NYTP_FOUND_WAITING: return f->share > 0.5 ? 1 : 3;
    case NYTP_FOUND_BUSY_MACHINE:
    case NYTP_FOUND_PROFILER: return 4;
    default: return 2;
    }
}

static gint most_first(gconstpointer a, gconstpointer b)
{
    const nytp_finding *x = a, *y = b;
    return nytp_order3(rank_of(x) - rank_of(y), NYTP_ORDER(y->share, x->share), strcmp(x->text, y->text));
}

static GHashTable *numbers_of(const nytp_profile *profile)
{
    GHashTable *numbers =
        g_hash_table_new_full(nytp_hash_of_bytes, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    nytp_sub sub;
    for (size_t i = 0; nytp_profile_sub(profile, i, &sub); i++)
        g_hash_table_insert(numbers, g_bytes_new(sub.name.bytes, sub.name.length), GSIZE_TO_POINTER(i + 1));
    return numbers;
}

bool nytp_finding_is_of_sub(const nytp_finding *f)
{
    const enum nytp_rule rule = f->rule;
    return rule == NYTP_FOUND_EXCEPTIONS || rule == NYTP_FOUND_RECURSION || rule == NYTP_FOUND_FIRST_CALL ||
           rule == NYTP_FOUND_MAGIC || rule == NYTP_FOUND_HOLDER || rule == NYTP_FOUND_SHORT_CALLS ||
           rule == NYTP_FOUND_HOT_SUB || rule == NYTP_FOUND_HEAVY_SUB;
}

/* Whether a rule says where the work is, and not why. */
static bool is_generic(const nytp_finding *f)
{
    return f->rule == NYTP_FOUND_HOT_LINE || f->rule == NYTP_FOUND_HOT_SUB ||
           f->rule == NYTP_FOUND_HEAVY_SUB || f->rule == NYTP_FOUND_SHORT_CALLS;
}

/* Whether they are about one line or one sub. Waiting is no work. */
static bool same_place(const nytp_finding *a, const nytp_finding *b)
{
    const bool same_line = a->line != 0 && a->line == b->line && a->fid == b->fid;
    const bool same_sub = a->sub != UINT32_MAX && a->sub == b->sub;
    return (same_line || same_sub) && a->rule != NYTP_FOUND_WAITING && b->rule != NYTP_FOUND_WAITING;
}

/* Returns how many lines the sub has of which the line is one; 0: the line is not in it. */
static uint32_t lines_around(const nytp_finder *f, const nytp_finding *of_sub, const nytp_finding *of_line)
{
    nytp_sub sub;
    const bool is_sub = nytp_finding_is_of_sub(of_sub) || of_sub->rule == NYTP_FOUND_QUERIES;
    const nytp_range *range =
        of_line->rule == NYTP_FOUND_HOT_LINE && is_sub && nytp_profile_sub(f->profile, of_sub->around, &sub)
            ? nytp_sub_main_range(&sub)
            : NULL;
    const bool has_line = range != NULL && range->fid == of_line->fid && range->first_line <= of_line->line &&
                          of_line->line <= range->last_line;
    return has_line ? range->last_line - range->first_line + 1 : 0;
}

/* Whether b says why a takes so long, or what of it does. */
static bool explains(const nytp_finder *f, const nytp_finding *b, const nytp_finding *a)
{
    const double most_of = 0.9, much_of = 0.5;
    const bool is_most = b->ticks >= most_of * a->ticks, is_much = b->ticks >= much_of * a->ticks;
    if (a->rule == NYTP_FOUND_FIRST_CALL && b->rule == NYTP_FOUND_FIRST_CALL) /* b is within a */
        return b != a && b->ticks <= a->ticks && is_most;
    if (b->rule == NYTP_FOUND_QUERIES && (a->rule == NYTP_FOUND_SPAN || a->rule == NYTP_FOUND_HOT_LINE))
        return is_much && (a->rule == NYTP_FOUND_SPAN ? a->sub == b->span : lines_around(f, b, a) > 0);
    if (a->rule == NYTP_FOUND_HEAVY_SUB && (b->rule == NYTP_FOUND_QUERIES || b->rule == NYTP_FOUND_HOT_SUB))
        return is_much && (b->rule == NYTP_FOUND_QUERIES || a->sub == b->sub);
    if (lines_around(f, b, a) == 1 && is_generic(b)) /* the sub has a name, and callers */
        return is_most;
    return is_generic(a) &&
           ((!is_generic(b) && is_much && same_place(a, b)) || (is_most && lines_around(f, a, b) > 1));
}

/* Whether b, which comes after a, counts some of the same work, and says no more of it. */
static bool adds_nothing(const nytp_finder *f, const nytp_finding *a, const nytp_finding *b)
{
    const bool of_one_sub = a->sub == b->sub && nytp_finding_is_of_sub(a) && nytp_finding_is_of_sub(b);
    return (same_place(a, b) && (is_generic(b) || of_one_sub)) || lines_around(f, a, b) > 0;
}

static void remove_repeated(const nytp_finder *f)
{
    GArray *found = f->found;
    for (guint i = found->len; i-- > 0;) {
        bool is_repeated = false;
        NYTP_EACH(const nytp_finding, other, found)
            is_repeated |= explains(f, other, &g_array_index(found, nytp_finding, i));
        if (is_repeated)
            g_array_remove_index(found, i);
    }
    g_array_sort(found, most_first);
    for (guint i = found->len; i-- > 0;) {
        bool is_repeated = false;
        for (guint before = 0; before < i && !is_repeated; before++)
            is_repeated = adds_nothing(f, &g_array_index(found, nytp_finding, before),
                                       &g_array_index(found, nytp_finding, i));
        if (is_repeated)
            g_array_remove_index(found, i);
    }
}

static void find_all(nytp_finder *f, nytp_calltree *stacks, const nytp_sub_durations *durations,
                     nytp_growth *growth, const nytp_process_times *times)
{
    f->numbers = numbers_of(f->profile);
    nytp_find_waits(f, stacks);
    nytp_find_busy_machine(f);
    nytp_find_in_calls(f);
    nytp_find_in_lines(f);
    nytp_find_profiler(f);
    if (stacks != NULL) {
        nytp_find_unused_modules(f, stacks);
        nytp_find_repeated_queries(f, stacks);
        if (!nytp_find_heavy_spans(f, stacks))
            nytp_find_heavy_subs(f, stacks);
    }
    if (durations != NULL)
        nytp_find_first_calls(f, stacks, durations);
    if (growth != NULL)
        nytp_find_growth(f, growth);
    if (times != NULL)
        nytp_find_slow_process(f, times);
    nytp_find_even_work(f);
    nytp_finder_free_waits(f);
    g_hash_table_destroy(f->numbers);
}

static nytp_finder begin(const nytp_profile *profile)
{
    nytp_finder f = {.profile = profile, .totals = nytp_profile_totals(profile)};
    f.measure = nytp_profile_measure(profile);
    f.whole_ticks = (double)f.totals.whole_ticks;
    f.portable = nytp_portable_new(profile);
    f.origins = nytp_origins_new(profile);
    f.subjects = g_string_chunk_new(1 << 10);
    f.found = NYTP_ARRAY(nytp_finding);
    g_array_set_clear_func(f.found, clear_finding);
    return f;
}

static nytp_findings *end(nytp_finder *f)
{
    nytp_origins_free(f->origins);
    g_string_chunk_free(f->subjects);
    nytp_portable_free(f->portable);
    remove_repeated(f);
    if (f->found->len > MOST)
        g_array_set_size(f->found, MOST);
    nytp_findings *findings = g_new(nytp_findings, 1);
    findings->all = f->found;
    return findings;
}

nytp_findings *nytp_findings_new(const nytp_profile *profile, nytp_calltree *stacks,
                                 const nytp_sub_durations *durations, nytp_growth *growth,
                                 const nytp_process_times *times, bool no_waits)
{
    nytp_finder f = begin(profile);
    f.no_waits = no_waits;
    if (f.whole_ticks > 0 && nytp_measure_is_time(&f.measure))
        find_all(&f, stacks, durations, growth, times);
    return end(&f);
}

nytp_findings *nytp_findings_of_memory(const nytp_profile *profile, const nytp_kinds *kinds,
                                       const GArray *sums)
{
    nytp_finder f = begin(profile);
    f.memory = nytp_memory_in_words(nytp_profile_attribute(profile, "memory_of").bytes);
    f.work_ticks = f.whole_ticks;
    if (f.whole_ticks > 0 && nytp_measure_is_bytes(&f.measure))
        nytp_find_in_memory(&f, kinds, sums);
    return end(&f);
}

void nytp_findings_free(nytp_findings *findings)
{
    if (findings == NULL)
        return;
    g_array_unref(findings->all);
    g_free(findings);
}

size_t nytp_findings_count(const nytp_findings *findings)
{
    return findings->all->len;
}

const nytp_finding *nytp_findings_get(const nytp_findings *findings, size_t index)
{
    return &g_array_index(findings->all, nytp_finding, index);
}
