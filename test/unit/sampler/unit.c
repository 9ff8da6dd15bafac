/* The unit or the container of a process, by its line in /proc/PID/cgroup. */
#include "sampler/process/process.h"

#include "test/unit/support.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void units_and_containers_are_named(void **state)
{
    static const char *const cases[][2] = {
        {"0::/system.slice/app.service\n", "app.service"},
        {"0::/system.slice/system-app.slice/app@1.service\n", "app@1.service"},
        {"0::/user.slice/user-1000.slice/user@1000.service/app.slice/mine.service\n", "mine.service"},
        {"0::/user.slice/user-1000.slice/session-2.scope\n", ""},
        {"0::/user.slice/user-1000.slice/user@1000.service/init.scope\n", ""},
        {"0::/system.slice/docker-" ID ".scope\n", "container 0123456789ab"},
        {"0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-" ID ".scope\n", "container 0123456789ab"},
        {"0::/machine.slice/libpod-" ID ".scope/container\n", "container 0123456789ab"},
        {"12:pids:/docker/" ID "\n1:name=systemd:/docker/" ID "\n", "container 0123456789ab"},
        {"3:cpu:/\n2:memory:/\n1:name=systemd:/system.slice/old.service\n0::/\n", "old.service"},
        {"0::/\n", ""},
        {"", ""},
        {"no colon", ""},
        {"0::", ""},
    };
    char unit[100];
    (void)state;
    for (size_t n = 0; n < COUNT(cases); n++) {
        sampler_unit_of(cases[n][0], unit, sizeof unit);
        assert_string_equal(unit, cases[n][1]);
    }
    sampler_unit_of("0::/a-name-that-is-too-long.service", unit, 8);
    assert_string_equal(unit, "a-name-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(units_and_containers_are_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
