/* Which names are those of BEGIN blocks. */
#include "model/package.h"
#include "test/unit/support.h"

static void names_of_begin_blocks_are_known(void **state)
{
    const struct {
        nytp_str name;
        size_t length;
    } cases[] = {
        {STR("main::BEGIN"), 11},
        {STR("main::BEGIN@16"), 11},
        {STR("main::BEGIN@16.3"), 11},
        {STR("A::B::BEGIN@1"), 11},
        {STR("A::BEGIN@x::BEGIN@2"), 17},
        {STR("main::BEGIN@"), 0},
        {STR("main::BEGIN@\0"), 0},
        {STR("main::BEGIN16"), 0},
        {STR("main::BEGINS@16"), 0},
        {STR("main::begin@16"), 0},
        {STR("BEGIN@16"), 0},
        {STR("::BEGIN"), 0},
        {STR("@16"), 0},
        {STR("16"), 0},
        {STR(""), 0},
        {{NULL, 0, false}, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(nytp_begin_block_length(cases[i].name), cases[i].length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_of_begin_blocks_are_known)};
    return cmocka_run_group_tests_name("begin-block", tests, NULL, NULL);
}
