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
    g_free((char *)f->without_place);
    g_free((char *)f->path);
    g_free((char *)f->repeated);
}

/* A number that cannot be trusted comes before all numbers. That others had the processors says nothing of
 * the program. */
static int rank_of(const nytp_finding *f)
{
    return f->rule == NYTP_FOUND_PROFILER ? 0 : f->rule == NYTP_FOUND_BUSY_MACHINE ? 2 : 1;
}

static gint most_time_first(gconstpointer a, gconstpointer b)
{
    const nytp_finding *x = a, *y = b;
    return nytp_order3(rank_of(x) - rank_of(y), NYTP_ORDER(y->order_ticks, x->order_ticks),
                       strcmp(x->text, y->text));
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

/* Whether a rule is about what a line itself does, so that its time is the line's. */
static bool is_of_line(enum nytp_rule rule)
{
    return rule == NYTP_FOUND_WAITING || rule == NYTP_FOUND_REGCOMP || rule == NYTP_FOUND_PATTERN ||
           rule == NYTP_FOUND_FILE_CALLS || rule == NYTP_FOUND_SAME_FILE || rule == NYTP_FOUND_EVALS;
}

/* Whether b says of the same time what a says, and more. */
static bool says_more(const nytp_finding *b, const nytp_finding *a)
{
    const double most_of = 0.9;
    if (a->rule == NYTP_FOUND_FIRST_CALL && b->rule == NYTP_FOUND_FIRST_CALL) /* b is within a */
        return b != a && b->order_ticks <= a->order_ticks && b->order_ticks >= most_of * a->order_ticks;
    if (b->order_ticks < most_of * a->order_ticks)
        return false;
    return (a->rule == NYTP_FOUND_HOT_LINE && is_of_line(b->rule) && a->fid == b->fid &&
            a->line == b->line) ||
           (a->rule == NYTP_FOUND_SHORT_CALLS && b->rule == NYTP_FOUND_QUERIES && a->sub == b->sub);
}

static bool is_repeated(const GArray *found, guint i)
{
    NYTP_EACH(nytp_finding, finding, found)
        if (says_more(finding, &g_array_index(found, nytp_finding, i)))
            return true;
    return false;
}

static void remove_repeated(GArray *found)
{
    for (guint i = found->len; i-- > 0;)
        if (is_repeated(found, i))
            g_array_remove_index(found, i);
}

static void find_all(nytp_finder *f, nytp_calltree *stacks, const nytp_sub_durations *durations,
                     nytp_growth *growth)
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
        nytp_find_heavy_spans(f, stacks);
    }
    if (durations != NULL)
        nytp_find_first_calls(f, stacks, durations);
    if (growth != NULL)
        nytp_find_growth(f, growth);
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
    remove_repeated(f->found);
    g_array_sort(f->found, most_time_first);
    if (f->found->len > MOST)
        g_array_set_size(f->found, MOST);
    nytp_findings *findings = g_new(nytp_findings, 1);
    findings->all = f->found;
    return findings;
}

nytp_findings *nytp_findings_new(const nytp_profile *profile, nytp_calltree *stacks,
                                 const nytp_sub_durations *durations, nytp_growth *growth, bool no_waits)
{
    nytp_finder f = begin(profile);
    f.no_waits = no_waits;
    if (f.whole_ticks > 0 && nytp_measure_is_time(&f.measure))
        find_all(&f, stacks, durations, growth);
    return end(&f);
}

nytp_findings *nytp_findings_of_memory(const nytp_profile *profile, const nytp_kinds *kinds,
                                       const GArray *sums)
{
    nytp_finder f = begin(profile);
    const nytp_setting *of = nytp_profile_setting_by_key(profile, NYTP_ATTRIBUTE, "memory_of");
    g_autofree char *name = of != NULL ? nytp_name_clean(of->value) : g_strdup("");
    f.memory = nytp_memory_in_words(name);
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
