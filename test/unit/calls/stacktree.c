/* The tree under the call tree: families long and short, united and taken apart, with nodes used again. */
#include "calls/stacktree.h"
#include "test/unit/support.h"

#include <math.h>
#include <string.h>

/* What a family counts for each sub, and below it for each sub that those call. */
enum { SUBS = 300 };

typedef struct model {
    uint64_t calls[SUBS], below[SUBS][4];
} model;

/* Adds a call of sub, and one or none from it, as the call tree does. */
static void add_call(nytp_stacktree *tree, nytp_children *family, model *m, uint32_t sub, uint64_t random)
{
    nytp_stacktree_reserve(tree, 2);
    uint32_t n = nytp_stacktree_child(tree, family, sub, 0), inner = (uint32_t)(random % 5);
    tree->nodes[n].calls++;
    m->calls[sub]++;
    if (inner == 4)
        return;
    uint32_t below = nytp_stacktree_child(tree, &tree->nodes[n].children, inner, 0);
    tree->nodes[below].calls++;
    m->below[sub][inner]++;
}

static void count_below(const nytp_stacktree *tree, nytp_children family, uint64_t counts[4])
{
    for (uint32_t n = family.last; n != 0; n = tree->nodes[n].next == family.last ? 0 : tree->nodes[n].next)
        counts[tree->nodes[n].sub] += tree->nodes[n].calls;
}

static uint32_t size_of(const model *m)
{
    uint32_t size = 0;
    for (uint32_t sub = 0; sub < SUBS; sub++) {
        size += m->calls[sub] > 0;
        for (uint32_t inner = 0; inner < 4; inner++)
            size += m->below[sub][inner] > 0;
    }
    return size;
}

static void assert_counts(nytp_stacktree *tree, nytp_children *family, const model *m)
{
    uint32_t size = size_of(m);
    assert_int_equal(nytp_stacktree_count(tree), size);
    for (uint32_t sub = 0; sub < SUBS; sub++) {
        if (m->calls[sub] == 0)
            continue;
        uint64_t below[4] = {0};
        uint32_t n = nytp_stacktree_child(tree, family, sub, 0);
        assert_int_equal(tree->nodes[n].calls, m->calls[sub]);
        count_below(tree, tree->nodes[n].children, below);
        assert_memory_equal(below, m->below[sub], sizeof below);
    }
    assert_int_equal(nytp_stacktree_count(tree), size); /* nothing was made by looking for it */
}

static void add_models(model *to, const model *from)
{
    for (uint32_t sub = 0; sub < SUBS; sub++) {
        to->calls[sub] += from->calls[sub];
        for (uint32_t inner = 0; inner < 4; inner++)
            to->below[sub][inner] += from->below[sub][inner];
    }
}

/* Families of one size into those of another: none, few, and enough for an index, on either side. */
static void assert_absorbs(uint32_t to_subs, uint32_t from_subs, uint64_t seed)
{
    nytp_stacktree tree;
    nytp_children to = {0, 0}, from = {0, 0};
    model *m = g_new0(model, 2);
    uint64_t random = seed;
    nytp_stacktree_init(&tree);
    for (uint32_t i = 0; i < to_subs * 3; i++)
        add_call(&tree, &to, &m[0], (uint32_t)(random_next(&random) % to_subs), random_next(&random));
    for (uint32_t i = 0; i < from_subs * 3; i++)
        add_call(&tree, &from, &m[1], SUBS - 1 - (uint32_t)(random_next(&random) % from_subs),
                 random_next(&random));
    nytp_stacktree_absorb(&tree, &to, &from);
    assert_int_equal(from.last, 0);
    assert_int_equal(from.index, 0);
    add_models(&m[0], &m[1]);
    assert_counts(&tree, &to, &m[0]);
    g_free(m);
    nytp_stacktree_clear(&tree);
}

static void a_family_absorbs_another(void **state)
{
    static const uint32_t sizes[] = {0, 1, 2, 15, 16, 17, 18, 100, 299};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes) * COUNT(sizes); i++)
        assert_absorbs(sizes[i % COUNT(sizes)], sizes[i / COUNT(sizes)], i);
}

/* A hint is where the search begins; it changes nothing about what is found. */
static void hints_only_save_time(void **state)
{
    (void)state;
    for (uint32_t subs = 1; subs < 40; subs++) {
        nytp_stacktree tree;
        nytp_children family = {0, 0};
        uint32_t found[40] = {0}, hint = 0;
        uint64_t random = subs;
        nytp_stacktree_init(&tree);
        for (int i = 0; i < 500; i++) {
            uint32_t sub = (uint32_t)(random_next(&random) % subs);
            uint32_t n = nytp_stacktree_child(&tree, &family, sub, hint);
            assert_true(found[sub] == 0 || found[sub] == n);
            found[sub] = n;
            hint = random_next(&random) % 3 > 0 ? found[random_next(&random) % subs] : 0;
        }
        assert_int_equal(nytp_stacktree_count(&tree), subs);
        nytp_stacktree_clear(&tree);
    }
}

/* The work of a long run: the same family is made anew and absorbed, for ever. */
static void nodes_and_indexes_are_used_again(void **state)
{
    nytp_stacktree tree;
    nytp_children all = {0, 0};
    (void)state;
    nytp_stacktree_init(&tree);
    for (int round = 0; round < 3000; round++) {
        nytp_children family = {0, 0};
        for (uint32_t sub = 0; sub < 100; sub++) {
            uint32_t n = nytp_stacktree_child(&tree, &family, sub, 0);
            tree.nodes[n].calls++; /* a node that is made may move all of them */
        }
        nytp_stacktree_absorb(&tree, &all, &family);
    }
    assert_int_equal(nytp_stacktree_count(&tree), 100);
    assert_in_range(tree.used, 1, 1 + 2 * 100);
    assert_in_range(tree.indexes->len, 1, 2);
    assert_int_equal(tree.nodes[nytp_stacktree_child(&tree, &all, 99, 0)].calls, 3000);
    nytp_stacktree_clear(&tree);
}

/* An index that went with a settled family must not be looked into. */
static void a_settled_tree_goes_on_growing(void **state)
{
    nytp_stacktree tree;
    model *m = g_new0(model, 1);
    uint64_t random = 1;
    (void)state;
    nytp_stacktree_init(&tree);
    for (int round = 0; round < 20; round++) {
        nytp_children family = {0, 0};
        for (int i = 0; i < 50 * round; i++)
            add_call(&tree, &family, m, (uint32_t)(random_next(&random) % SUBS), random_next(&random));
        nytp_stacktree_absorb(&tree, &tree.nodes[0].children, &family);
        nytp_stacktree_settle(&tree, -HUGE_VAL, UINT32_MAX, 0);
        assert_counts(&tree, &tree.nodes[0].children, m);
    }
    assert_in_range(tree.indexes->len, 1, 2); /* indexes of old families are not kept */
    g_free(m);
    nytp_stacktree_clear(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_family_absorbs_another),
        cmocka_unit_test(hints_only_save_time),
        cmocka_unit_test(nodes_and_indexes_are_used_again),
        cmocka_unit_test(a_settled_tree_goes_on_growing),
    };
    return cmocka_run_group_tests_name("stacktree", tests, NULL, NULL);
}
