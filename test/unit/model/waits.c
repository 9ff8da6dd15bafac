/* Which subs wait. */
#include "model/waits.h"
#include "test/unit/support.h"

static void what_waits(void **state)
{
    const nytp_str wait[] = {STR("main::CORE:sleep"),
                             STR("A::B::CORE:sselect"),
                             STR("EV::run"),
                             STR("Time::HiRes::sleep"),
                             STR("CORE::accept"),
                             STR("BDB::poll_wait"),
                             STR("threads::shared::cond_wait"),
                             STR("main::CORE:connect 127.0.0.1:80"),
                             STR("Time::HiRes::sleep 0.1")};
    const nytp_str work[] = {STR("main::CORE:sort"),
                             STR("main::sleep"),
                             STR("main::CORE:match /CORE:sleep/"),
                             STR("main::CORE:select"),
                             STR("CORE:sleep"),
                             STR("CORE::"),
                             STR("main::CORE:"),
                             STR("X::EV::run"),
                             STR("EV::runs"),
                             STR("")};
    (void)state;
    for (size_t i = 0; i < COUNT(wait); i++)
        assert_true(nytp_waits_by_name(wait[i]));
    for (size_t i = 0; i < COUNT(work); i++)
        assert_false(nytp_waits_by_name(work[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_waits)};
    return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}
