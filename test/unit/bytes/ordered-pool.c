/* An ordered pool takes jobs in order, runs them in parallel, and hands them out in order. */
#include "bytes/ordered_pool.h"
#include "test/unit/support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { JOBS = 5, MANY = 2000 };

typedef struct number {
    uint64_t in, prepared, out;
    char *owned;
} number;

typedef struct counts {
    atomic_uint preparing, cleared, run, most_worker;
    uint64_t prepared; /* only prepare() touches it: one call at a time */
    uint64_t last;     /* prepare() returns false for that job */
} counts;

static counts count;

static bool prepare(void *context, void *job)
{
    counts *c = context;
    number *n = job;
    assert_int_equal(c->preparing++, 0);
    n->prepared = c->prepared++;
    assert_int_equal(--c->preparing, 0);
    return n->prepared != c->last;
}

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

static const nytp_pool_work plain = {.run = square, .clear = clear};
static const nytp_pool_work prepared = {.prepare = prepare, .run = square, .clear = clear};

static nytp_ordered_pool *pool_of(const nytp_pool_work *work, unsigned threads)
{
    memset(&count, 0, sizeof count);
    count.last = UINT64_MAX;
    nytp_ordered_pool *pool = nytp_ordered_pool_new(work, &count, JOBS, sizeof(number), threads);
    assert_non_null(pool);
    assert_int_equal(nytp_ordered_pool_threads(pool), threads);
    return pool;
}

static void assert_in_order(const nytp_pool_work *work, unsigned threads, enum nytp_pool_wait how)
{
    nytp_ordered_pool *pool = pool_of(work, threads);
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
            if (work->prepare != NULL)
                assert_int_equal(n->prepared, collected);
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
        assert_in_order(&plain, threads, NYTP_POOL_WAIT);
        assert_in_order(&plain, threads, NYTP_POOL_POLL);
        assert_in_order(&plain, threads, NYTP_POOL_HELP);
    }
}

static void prepare_is_called_in_order_and_for_one_job_at_a_time(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        assert_in_order(&prepared, threads, NYTP_POOL_WAIT);
        assert_in_order(&prepared, threads, NYTP_POOL_HELP);
    }
}

static void an_owner_that_helps_needs_no_threads(void **state)
{
    (void)state;
    assert_in_order(&plain, 0, NYTP_POOL_HELP);
    assert_in_order(&prepared, 0, NYTP_POOL_HELP);
}

static void as_many_jobs_can_be_submitted_as_there_are(void **state)
{
    nytp_ordered_pool *pool = pool_of(&plain, 0);
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

static void no_job_is_taken_after_the_one_that_prepare_calls_the_last(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 3; threads++) {
        nytp_ordered_pool *pool = pool_of(&prepared, threads);
        count.last = 2;
        for (int i = 0; i < JOBS; i++)
            nytp_ordered_pool_submit(pool);
        for (uint64_t i = 0; i <= count.last; i++) {
            const number *n = nytp_ordered_pool_oldest(pool, NYTP_POOL_HELP);
            assert_non_null(n);
            assert_int_equal(n->prepared, i);
            nytp_ordered_pool_release(pool);
        }
        assert_null(nytp_ordered_pool_oldest(pool, NYTP_POOL_HELP));
        assert_int_equal(count.run, 3);
        nytp_ordered_pool_free(pool);
    }
}

static void what_was_taken_can_be_inspected_after_stopping(void **state)
{
    nytp_ordered_pool *pool = pool_of(&prepared, 2);
    (void)state;
    count.last = 3;
    for (int i = 0; i < JOBS; i++)
        nytp_ordered_pool_submit(pool);
    while (count.run < 4) /* jobs 0 to 3 */
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    assert_non_null(nytp_ordered_pool_oldest(pool, NYTP_POOL_WAIT));
    nytp_ordered_pool_release(pool);
    nytp_ordered_pool_stop(pool);
    for (unsigned i = 0; i < 3; i++) {
        const number *n = nytp_ordered_pool_taken(pool, i);
        assert_non_null(n);
        assert_int_equal(n->prepared, i + 1);
    }
    assert_null(nytp_ordered_pool_taken(pool, 3));
    nytp_ordered_pool_free(pool);
}

static void a_pool_can_be_freed_while_it_works(void **state)
{
    (void)state;
    nytp_ordered_pool_free(NULL);
    for (int round = 0; round < 50; round++) {
        nytp_ordered_pool *pool = pool_of(&plain, 3);
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
        cmocka_unit_test(prepare_is_called_in_order_and_for_one_job_at_a_time),
        cmocka_unit_test(an_owner_that_helps_needs_no_threads),
        cmocka_unit_test(as_many_jobs_can_be_submitted_as_there_are),
        cmocka_unit_test(no_job_is_taken_after_the_one_that_prepare_calls_the_last),
        cmocka_unit_test(what_was_taken_can_be_inspected_after_stopping),
        cmocka_unit_test(a_pool_can_be_freed_while_it_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
