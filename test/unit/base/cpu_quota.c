/* What control groups let a process have. */
#include "base/cpu_quota.h"
#include "test/unit/support.h"

#include <math.h>
#include <sys/stat.h>

static void no_quota(void **state)
{
    (void)state;
    assert_true(nytp_cpu_quota("missing", "groups") == HUGE_VAL);
    file_write("empty", "");
    assert_true(nytp_cpu_quota("empty", "groups") == HUGE_VAL);
    file_write("odd", "\n:\n0\n0:\n::\n0::/a\n1:cpu:/a\n");
    assert_true(nytp_cpu_quota("odd", "groups") == HUGE_VAL);
}

static void make(const char *path)
{
    assert_int_equal(mkdir(path, 0777), 0);
}

static void version_2(void **state)
{
    (void)state;
    make("groups"), make("groups/a"), make("groups/a/b");
    file_write("of-b", "0::/a/b\n");
    file_write("groups/a/b/cpu.max", "max 100000\n");
    assert_true(nytp_cpu_quota("of-b", "groups") == HUGE_VAL);
    file_write("groups/a/cpu.max", "150000 100000\n");
    assert_true(nytp_cpu_quota("of-b", "groups") == 1.5);
    file_write("groups/a/b/cpu.max", "25000 50000\n");
    assert_true(nytp_cpu_quota("of-b", "groups") == 0.5);
    file_write("groups/cpu.max", "10000 100000\n"); /* as a container sees its own group */
    assert_true(nytp_cpu_quota("of-b", "groups") == 0.1);
    file_write("of-root", "0::/\n");
    assert_true(nytp_cpu_quota("of-root", "groups") == 0.1);
    file_write("of-host", "0::/docker/0123\n");
    assert_true(nytp_cpu_quota("of-host", "groups") == 0.1);
    file_write("groups/cpu.max", "garbage\n");
    assert_true(nytp_cpu_quota("of-root", "groups") == HUGE_VAL);
}

static void version_1(void **state)
{
    (void)state;
    make("groups"), make("groups/cpu"), make("groups/cpu/a");
    file_write("of-a", "4:memory:/m\n3:cpuset:/s\n2:cpuacct,cpu:/a\n1:name=systemd:/\n0::/\n");
    file_write("groups/cpu/a/cpu.cfs_period_us", "100000\n");
    assert_true(nytp_cpu_quota("of-a", "groups") == HUGE_VAL);
    file_write("groups/cpu/a/cpu.cfs_quota_us", "-1\n");
    assert_true(nytp_cpu_quota("of-a", "groups") == HUGE_VAL);
    file_write("groups/cpu/a/cpu.cfs_quota_us", "250000\n");
    assert_true(nytp_cpu_quota("of-a", "groups") == 2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_quota, enter_empty_directory, leave_directory),
        cmocka_unit_test_setup_teardown(version_2, enter_empty_directory, leave_directory),
        cmocka_unit_test_setup_teardown(version_1, enter_empty_directory, leave_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
