#include "cli/start.h"
#include "test/unit/support.h"

static void it_has_memory(void **state)
{
    (void)state;
    assert_true(nytp_machine_bytes() > UINT64_C(100) << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
