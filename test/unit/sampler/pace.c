/* When samples are taken: at random, so that what a program does at even distances, or just after a sample,
 * gets its share. */
#include "sampler/sample/meter.h"

#include "sampler/process/process.h"
#include "test/unit/support.h"

#include <math.h>

/* How many of the gaps that are at least so long are no more than a tenth longer, which depends on that
 * length unless the distribution is exponential. */
static double share_that_ends(sampler_pace *pace, double least)
{
    enum { GAPS = 200000 };
    int reached = 0, ended = 0;
    for (int n = 0; n < GAPS; n++) {
        const double gap = sampler_pace_gap(pace);
        reached += gap >= least;
        ended += gap >= least && gap < least + 0.1;
    }
    return (double)ended / reached;
}

static void how_likely_a_sample_is_does_not_depend_on_the_last_one(void **state)
{
    sampler_pace pace = {.random = 12345};
    static const double lengths[] = {0, 0.1, 0.5, 1, 2};
    (void)state;
    for (size_t n = 0; n < COUNT(lengths); n++)
        assert_float_equal(share_that_ends(&pace, lengths[n]), 1 - exp(-0.1), 0.01);
}

static void gaps_have_a_limit(void **state)
{
    enum { GAPS = 1000000 };
    sampler_pace pace = {.random = 54321};
    double sum = 0;
    (void)state;
    for (int n = 0; n < GAPS; n++) {
        const double gap = sampler_pace_gap(&pace);
        assert_true(gap >= 0 && gap <= SAMPLER_MOST_PERIODS);
        sum += gap;
    }
    assert_float_equal(sum / GAPS, 1, 0.01);
}

static void the_rate_is_kept(void **state)
{
    enum { HZ = 5000, SAMPLES = 1000 };
    sampler_pace pace;
    (void)state;
    sampler_pace_begin(&pace, HZ);
    const int64_t begun_ns = sampler_now_ns();
    for (int n = 0; n < SAMPLES; n++)
        sampler_pace_wait(&pace);
    /* A busy machine makes it later, never earlier. */
    assert_true(sampler_now_ns() - begun_ns > SAMPLER_SECOND_NS / HZ * SAMPLES * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_likely_a_sample_is_does_not_depend_on_the_last_one),
        cmocka_unit_test(gaps_have_a_limit),
        cmocka_unit_test(the_rate_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
