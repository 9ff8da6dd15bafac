/* Quantiles of durations against sorted ones, and first calls against a walk in the order of begin. */
#include "calls/durations.h"
#include "test/unit/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double fractions[] = {0, 0.01, 0.5, 0.9, 0.95, 0.99, 1};

static int shorter_first(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Of whole ticks, quantiles are within half a part of the exact ones, and the longest is exact. */
static void assert_near(const nytp_distribution *d, double *all, size_t count)
{
    const double most_off = d->parts == NYTP_64_PARTS ? 1.0 / 128 : 1.0 / 32;
    qsort(all, count, sizeof *all, shorter_first);
    assert_int_equal(nytp_distribution_count(d), count);
    for (size_t i = 0; i < COUNT(fractions); i++) {
        const size_t rank = (size_t)fmax(ceil(fractions[i] * (double)count), 1);
        const double exact = all[rank - 1], got = nytp_distribution_quantile(d, fractions[i]);
        if (fabs(got - exact) > exact * most_off)
            fail_msg("%zu durations, quantile %g: %g, exactly %g", count, fractions[i], got, exact);
    }
    assert_float_equal(nytp_distribution_get(d, NYTP_LONGEST), all[count - 1], 0);
}

static void quantiles_are_near(void **state)
{
    enum { COUNT_MAX = 4001 };
    static double all[COUNT_MAX];
    static const enum nytp_distribution_parts parts[] = {NYTP_16_PARTS, NYTP_64_PARTS};
    (void)state;
    srand(1);
    for (size_t i = 0; i < COUNT(parts); i++)
        for (size_t count = 1; count <= COUNT_MAX; count = count * 5 + 1) {
            nytp_distribution d;
            nytp_distribution_init(&d, parts[i]);
            for (size_t k = 0; k < count; k++) {
                all[k] = floor(exp2(rand() % 4000 / 100.0)) - 1;
                if (!nytp_distribution_add_recent(&d, all[k]))
                    nytp_distribution_add(&d, all[k]);
            }
            assert_near(&d, all, count);
            nytp_distribution_clear(&d);
        }
}

/* The ranges of a sum follow one another and have the calls of both, in the fewer parts. */
static void sums_have_all_calls(void **state)
{
    nytp_distribution sum, other;
    double all[] = {0, 5, 100, 101, 1e9, 5, 99, 1e12};
    (void)state;
    nytp_distribution_init(&sum, NYTP_64_PARTS);
    nytp_distribution_init(&other, NYTP_16_PARTS);
    assert_float_equal(nytp_distribution_get(&sum, NYTP_P50), -1, 0);
    assert_float_equal(nytp_distribution_get(&sum, NYTP_FIRST), -1, 0);
    for (size_t i = 0; i < COUNT(all); i++)
        nytp_distribution_add(i < 5 ? &sum : &other, all[i]);
    nytp_distribution_add_all(&sum, &other);
    assert_int_equal(sum.parts, NYTP_16_PARTS);
    assert_near(&sum, all, COUNT(all));
    nytp_duration_range range, last = {0, 0, 0};
    for (uint64_t at = 0; nytp_distribution_next(&sum, &at, &range); last = range)
        assert_true(range.calls > 0 && range.from_ticks >= last.to_ticks &&
                    range.to_ticks > range.from_ticks);
    nytp_distribution_clear(&sum);
    nytp_distribution_clear(&other);
}

static void odd_durations_are_counted(void **state)
{
    nytp_distribution d;
    (void)state;
    nytp_distribution_init(&d, NYTP_16_PARTS);
    nytp_distribution_add(&d, -5);
    nytp_distribution_add(&d, NAN);
    assert_float_equal(nytp_distribution_quantile(&d, 1), 0, 0);
    nytp_distribution_add(&d, INFINITY);
    nytp_distribution_add(&d, 0.25);
    assert_float_equal(nytp_distribution_quantile(&d, 0.5), 0, 0.5);
    assert_true(nytp_distribution_quantile(&d, 1) >= 0x1p53);
    assert_false(nytp_distribution_add_recent(&d, NAN) || nytp_distribution_add_recent(&d, -20) ||
                 nytp_distribution_add_recent(&d, INFINITY));
    nytp_distribution_clear(&d);
}

/* A random program: calls within calls, of a few subs. What must be found is kept as they begin. */
enum { SUBS = 5, CALLS_MAX = 3000, DEEPEST = 12 };

typedef struct program {
    nytp_events *events;
    double all[SUBS][CALLS_MAX]; /* durations */
    size_t count[SUBS];
    double first[SUBS]; /* of this process; -1: none began */
    double longest_first[SUBS];
    size_t firsts[SUBS];
    bool around[SUBS];
    size_t calls, begun;              /* begun: in this process */
    size_t within[SUBS][DEEPEST + 1]; /* most calls of this process that one at that depth is or has in it */
} program;

static double run_call(program *p, uint32_t depth, bool *is_first)
{
    static const char *const names[SUBS] = {"main::a", "main::b", "main::c", "NYTProf::span d", "main::e"};
    const int sub = rand() % SUBS;
    double own = rand() % 4 > 0 ? rand() % 20 : rand() % 100000, incl = own;
    *is_first = p->first[sub] < 0;
    if (*is_first)
        p->first[sub] = 0;
    const bool began_first = *is_first;
    const size_t before = p->begun++;
    while (rand() % 3 > 0 && depth < DEEPEST && p->calls < CALLS_MAX / 2)
        incl += run_call(p, depth + 1, is_first);
    if (began_first)
        p->first[sub] = incl;
    nytp_chunk chunk = {.tag = NYTP_SUB_RETURN};
    chunk.sub_return.depth = depth;
    chunk.sub_return.incl_ticks = incl;
    chunk.sub_return.excl_ticks = own;
    chunk.sub_return.name = (nytp_str){names[sub], strlen(names[sub]), false};
    nytp_events_add(p->events, &chunk);
    p->all[sub][p->count[sub]++] = incl;
    p->calls++;
    p->within[sub][depth] = MAX(p->within[sub][depth], p->begun - before);
    return incl;
}

/* A call has all other calls of its process in it if these are all that began, without its callers. */
static void note_around(program *p)
{
    for (int sub = 0; sub < SUBS; sub++)
        for (size_t depth = 1; depth <= DEEPEST; depth++)
            p->around[sub] |= p->within[sub][depth] > 0 && p->within[sub][depth] == p->begun - (depth - 1);
}

static void run_process(program *p)
{
    bool is_first;
    nytp_events_add(p->events, &(nytp_chunk){.tag = NYTP_PID_START});
    for (int i = 0; i < SUBS; i++)
        p->first[i] = -1;
    p->begun = 0;
    memset(p->within, 0, sizeof p->within);
    for (int i = rand() % 3 > 0 ? rand() % 30 : 1; i > 0 && p->calls < CALLS_MAX / 2; i--)
        run_call(p, 1, &is_first);
    for (int i = 0; i < SUBS; i++) {
        p->longest_first[i] = fmax(p->longest_first[i], p->first[i]);
        p->firsts[i] += p->first[i] >= 0;
    }
    note_around(p);
}

static void first_calls_began_first(void **state)
{
    static program p;
    (void)state;
    for (unsigned seed = 1; seed <= 200; seed++) {
        nytp_names *names = nytp_names_new();
        nytp_durations *d = nytp_durations_new(names);
        p = (program){.events = nytp_events_new(names)};
        srand(seed);
        nytp_durations_take(d, p.events);
        for (int i = 0; i < 3; i++)
            run_process(&p);
        for (uint32_t raw = 0; raw < nytp_names_count(names); raw++) {
            const nytp_str name = nytp_names_get(names, raw);
            const int sub = name.bytes[name.length - 1] - 'a';
            const nytp_distribution *got = nytp_durations_of(d, raw);
            assert_float_equal(nytp_distribution_get(got, NYTP_FIRST), p.longest_first[sub], 0);
            assert_int_equal(got->first_count, p.firsts[sub]);
            assert_int_equal(got->is_around, p.around[sub]);
            assert_near(got, p.all[sub], p.count[sub]);
        }
        nytp_events_free(p.events);
        nytp_durations_free(d);
        nytp_names_free(names);
    }
    nytp_durations_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_near),
        cmocka_unit_test(sums_have_all_calls),
        cmocka_unit_test(odd_durations_are_counted),
        cmocka_unit_test(first_calls_began_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
