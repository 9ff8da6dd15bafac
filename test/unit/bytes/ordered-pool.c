/* An ordered pool takes jobs in order, runs them in parallel, and hands them out in order. */
#include "bytes/raw_deflate_mt.h"
#include "test/unit/support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { JOBS = 5, MANY = 2000 };

typedef struct number {
    uint64_t in, out;
    char *owned;
} number;

typedef struct counts {
    atomic_uint cleared, run, most_worker;
} counts;

static counts count;

/* Some jobs take longer than others. */
static void square(void *context, void *job, unsigned worker)
{
    counts *c = context;
    number *n = job;
    if (n->in % 7 == 0)
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    n->out = n->in * n->in;
    c->run++;
    if (c->most_worker < worker)
        c->most_worker = worker;
}

static void clear(void *job)
{
    free(((number *)job)->owned);
    count.cleared++;
}

static const nytp_pool_work squares = {.run = square, .clear = clear};

static nytp_ordered_pool *pool_of(unsigned threads)
{
    memset(&count, 0, sizeof count);
    nytp_ordered_pool *pool = nytp_ordered_pool_new(&squares, &count, JOBS, sizeof(number), threads);
    assert_non_null(pool);
    assert_int_equal(nytp_ordered_pool_threads(pool), threads);
    return pool;
}

static void assert_in_order(unsigned threads, enum nytp_pool_wait how)
{
    nytp_ordered_pool *pool = pool_of(threads);
    uint64_t submitted = 0, collected = 0;
    while (collected < MANY) {
        number *n;
        while (submitted < MANY && (n = nytp_ordered_pool_next(pool)) != NULL) {
            n->in = submitted++;
            nytp_ordered_pool_submit(pool);
        }
        while ((n = nytp_ordered_pool_oldest(pool, how)) != NULL) {
            assert_int_equal(n->in, collected);
            assert_int_equal(n->out, collected * collected);
            collected++;
            nytp_ordered_pool_release(pool);
        }
    }
    assert_int_equal(count.run, MANY);
    assert_in_range(count.most_worker, 0, threads);
    nytp_ordered_pool_free(pool);
    assert_int_equal(count.cleared, JOBS);
}

static void jobs_come_out_in_the_order_in_which_they_were_submitted(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        assert_in_order(threads, NYTP_POOL_WAIT);
        assert_in_order(threads, NYTP_POOL_POLL);
        assert_in_order(threads, NYTP_POOL_HELP);
    }
}

static void an_owner_that_helps_needs_no_threads(void **state)
{
    (void)state;
    assert_in_order(0, NYTP_POOL_HELP);
}

static void as_many_jobs_can_be_submitted_as_there_are(void **state)
{
    nytp_ordered_pool *pool = pool_of(0);
    (void)state;
    assert_null(nytp_ordered_pool_oldest(pool, NYTP_POOL_POLL));
    assert_null(nytp_ordered_pool_oldest(pool, NYTP_POOL_WAIT)); /* of no job at all */
    for (int i = 0; i < JOBS; i++) {
        assert_non_null(nytp_ordered_pool_next(pool));
        nytp_ordered_pool_submit(pool);
    }
    assert_null(nytp_ordered_pool_next(pool));
    assert_null(nytp_ordered_pool_oldest(pool, NYTP_POOL_POLL)); /* no thread works on it */
    assert_non_null(nytp_ordered_pool_oldest(pool, NYTP_POOL_HELP));
    assert_null(nytp_ordered_pool_next(pool));
    nytp_ordered_pool_release(pool);
    assert_non_null(nytp_ordered_pool_next(pool));
    nytp_ordered_pool_free(pool);
}

static void a_pool_can_be_freed_while_it_works(void **state)
{
    (void)state;
    nytp_ordered_pool_free(NULL);
    for (int round = 0; round < 50; round++) {
        nytp_ordered_pool *pool = pool_of(3);
        for (int i = 0; i < JOBS; i++) {
            ((number *)nytp_ordered_pool_next(pool))->owned = malloc(10);
            nytp_ordered_pool_submit(pool);
        }
        nytp_ordered_pool_free(pool);
        assert_int_equal(count.cleared, JOBS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_come_out_in_the_order_in_which_they_were_submitted),
        cmocka_unit_test(an_owner_that_helps_needs_no_threads),
        cmocka_unit_test(as_many_jobs_can_be_submitted_as_there_are),
        cmocka_unit_test(a_pool_can_be_freed_while_it_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
