/* The processes that have not ended, compared with a plain list of them. */
#include "base/pids.h"
#include "test/unit/support.h"

#include <string.h>

enum { MOST = 3000 };

/* The plain list: the open processes, in the order in which they began. */
typedef struct model {
    uint32_t pids[MOST], indexes[MOST];
    uint32_t count;
} model;

static void begin(nytp_pids *pids, model *m, uint32_t pid)
{
    int64_t index = nytp_pids_begin(pids, pid);
    assert_in_range(index, 0, MOST);
    for (uint32_t i = 0; i < m->count; i++)
        assert_int_not_equal(m->indexes[i], index);
    m->pids[m->count] = pid;
    m->indexes[m->count++] = (uint32_t)index;
}

static void end(nytp_pids *pids, model *m, uint32_t pid)
{
    uint32_t i = m->count;
    while (i > 0 && m->pids[i - 1] != pid)
        i--;
    if (i == 0) {
        assert_int_equal(nytp_pids_end(pids, pid), -1);
        return;
    }
    assert_int_equal(nytp_pids_end(pids, pid), m->indexes[i - 1]);
    memmove(m->pids + i - 1, m->pids + i, (m->count - i) * sizeof *m->pids);
    memmove(m->indexes + i - 1, m->indexes + i, (m->count - i) * sizeof *m->indexes);
    m->count--;
}

static void assert_same(const nytp_pids *pids, const model *m)
{
    uint32_t open = 0, pid;
    assert_int_equal(pids->count, m->count);
    for (uint32_t index = 0; index < pids->index_count; index++)
        open += nytp_pids_at(pids, index, &pid);
    assert_int_equal(open, m->count);
    for (uint32_t i = 0; i < m->count; i++)
        assert_true(nytp_pids_at(pids, m->indexes[i], &pid) && pid == m->pids[i]);
}

/* With few pids, most begin again while they are open; with many, whole runs of slots come and go. */
static void processes_begin_and_end_in_any_order(void **state)
{
    static const uint32_t different[] = {1, 3, 20, 500, 100000};
    (void)state;
    for (uint32_t d = 0; d < COUNT(different); d++) {
        nytp_pids pids = {0};
        static model m;
        uint64_t random = 4711;
        m.count = 0;
        for (uint32_t step = 0; step < 2 * MOST; step++) {
            uint32_t pid = (uint32_t)(random_next(&random) % different[d]) * 0x01000193U;
            bool growing = step % 1000 < 600; /* up and down */
            if (random_next(&random) % 8 < (growing ? 5 : 2) && m.count < MOST)
                begin(&pids, &m, pid);
            else
                end(&pids, &m, growing || m.count == 0 ? pid : m.pids[random_next(&random) % m.count]);
            if (step % 100 == 0)
                assert_same(&pids, &m);
        }
        while (m.count > 0)
            end(&pids, &m, m.pids[m.count / 2]);
        assert_same(&pids, &m);
        nytp_pids_clear(&pids);
    }
}

static void the_last_to_begin_ends_first(void **state)
{
    nytp_pids pids = {0};
    (void)state;
    assert_int_equal(nytp_pids_end(&pids, 7), -1);
    int64_t first = nytp_pids_begin(&pids, 7), second = nytp_pids_begin(&pids, 7);
    assert_int_equal(nytp_pids_end(&pids, 7), second);
    assert_int_equal(nytp_pids_begin(&pids, 8), second); /* the index is used again */
    assert_int_equal(nytp_pids_end(&pids, 7), first);
    assert_int_equal(nytp_pids_end(&pids, 7), -1);
    nytp_pids_clear(&pids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_begin_and_end_in_any_order),
        cmocka_unit_test(the_last_to_begin_ends_first),
    };
    return cmocka_run_group_tests_name("pids", tests, NULL, NULL);
}
