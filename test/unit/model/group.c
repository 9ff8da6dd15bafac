/* Sorted arrays of records: sums, runs of one key, and the index by key. */
#include "model/group.h"
#include "test/unit/support.h"

typedef struct record {
    uint32_t key, other;
    uint64_t sum;
} record;

static int by_both(const void *a, const void *b)
{
    const record *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}

static void add(void *to, const void *from)
{
    ((record *)to)->sum += ((const record *)from)->sum;
}

static GArray *array_of(const record *records, guint count)
{
    GArray *array = g_array_new(FALSE, FALSE, sizeof(record));
    return g_array_append_vals(array, records, count);
}

static const record *at(const GArray *array, guint i)
{
    return &g_array_index(array, record, i);
}

static void equal_records_are_added_up(void **state)
{
    const record records[] = {{2, 1, 1}, {1, 7, 2}, {2, 1, 4}, {1, 8, 8}, {1, 7, 16}, {2, 1, 32}};
    const record expected[] = {{1, 7, 18}, {1, 8, 8}, {2, 1, 37}};
    GArray *array = array_of(records, COUNT(records));
    (void)state;
    nytp_group_sort(array, by_both);
    nytp_group_merge(array, by_both, add);
    assert_int_equal(array->len, COUNT(expected));
    for (guint i = 0; i < COUNT(expected); i++) {
        assert_int_equal(by_both(at(array, i), &expected[i]), 0);
        assert_true(at(array, i)->sum == expected[i].sum);
    }
    g_array_free(array, TRUE);
}

static void runs_end_where_the_key_changes(void **state)
{
    const record records[] = {{1, 0, 0}, {1, 5, 0}, {3, 5, 0}, {4, 1, 0}, {4, 2, 0}, {4, 3, 0}};
    const guint ends[] = {2, 2, 3, 6, 6, 6};
    GArray *array = array_of(records, COUNT(records));
    (void)state;
    for (guint i = 0; i < array->len; i++)
        assert_int_equal(nytp_group_end(array, i, offsetof(record, key)), ends[i]);
    assert_int_equal(nytp_group_end(array, 1, offsetof(record, other)), 3);
    g_array_free(array, TRUE);
}

static void the_index_gives_the_records_of_each_key(void **state)
{
    const record records[] = {{1, 0, 0}, {1, 5, 0}, {3, 5, 0}};
    const guint starts[] = {0, 0, 2, 2, 3, 3};
    GArray *array = array_of(records, COUNT(records));
    guint *index = nytp_group_starts(array, offsetof(record, key), COUNT(starts) - 1);
    (void)state;
    for (guint key = 0; key < COUNT(starts); key++)
        assert_int_equal(index[key], starts[key]);
    g_free(index);
    g_array_free(array, TRUE);
}

static void an_empty_array_has_no_groups(void **state)
{
    GArray *array = array_of(NULL, 0);
    guint *index = nytp_group_starts(array, offsetof(record, key), 0);
    (void)state;
    nytp_group_sort(array, by_both);
    nytp_group_merge(array, by_both, add);
    assert_int_equal(array->len, 0);
    assert_int_equal(index[0], 0);
    g_free(index);
    g_array_free(array, TRUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_records_are_added_up),
        cmocka_unit_test(runs_end_where_the_key_changes),
        cmocka_unit_test(the_index_gives_the_records_of_each_key),
        cmocka_unit_test(an_empty_array_has_no_groups),
    };
    return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
