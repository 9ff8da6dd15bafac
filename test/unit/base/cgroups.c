/* What control groups let a process have, of both versions. */
#include "base/cgroups.h"
#include "test/unit/support.h"

#include <math.h>
#include <sys/stat.h>

static void no_limit(void **state)
{
    (void)state;
    assert_true(nytp_cgroup_processors("missing", "groups") == HUGE_VAL);
    file_write("empty", "");
    assert_true(nytp_cgroup_processors("empty", "groups") == HUGE_VAL);
    file_write("odd", "\n:\n0\n0:\n::\n0::/a\n1:cpu:/a\n");
    assert_true(nytp_cgroup_processors("odd", "groups") == HUGE_VAL);
}

static void make(const char *path)
{
    assert_int_equal(mkdir(path, 0777), 0);
}

static void processors(void **state)
{
    (void)state;
    make("groups"), make("groups/a"), make("groups/a/b");
    file_write("of-b", "0::/a/b\n");
    file_write("groups/a/b/cpu.max", "max 100000\n");
    assert_true(nytp_cgroup_processors("of-b", "groups") == HUGE_VAL);
    file_write("groups/a/cpu.max", "150000 100000\n");
    assert_true(nytp_cgroup_processors("of-b", "groups") == 1.5);
    file_write("groups/a/b/cpu.max", "25000 50000\n");
    assert_true(nytp_cgroup_processors("of-b", "groups") == 0.5);
    file_write("groups/cpu.max", "10000 100000\n"); /* as a container sees its own group */
    assert_true(nytp_cgroup_processors("of-b", "groups") == 0.1);
    file_write("of-root", "0::/\n");
    assert_true(nytp_cgroup_processors("of-root", "groups") == 0.1);
    file_write("of-host", "0::/docker/0123\n");
    assert_true(nytp_cgroup_processors("of-host", "groups") == 0.1);
    file_write("groups/cpu.max", "garbage\n");
    assert_true(nytp_cgroup_processors("of-root", "groups") == HUGE_VAL);
}

static void processors_of_version_1(void **state)
{
    (void)state;
    make("groups"), make("groups/cpu"), make("groups/cpu/a");
    file_write("of-a", "4:memory:/m\n3:cpuset:/s\n2:cpuacct,cpu:/a\n1:name=systemd:/\n0::/\n");
    file_write("groups/cpu/a/cpu.cfs_period_us", "100000\n");
    assert_true(nytp_cgroup_processors("of-a", "groups") == HUGE_VAL);
    file_write("groups/cpu/a/cpu.cfs_quota_us", "-1\n");
    assert_true(nytp_cgroup_processors("of-a", "groups") == HUGE_VAL);
    file_write("groups/cpu/a/cpu.cfs_quota_us", "250000\n");
    assert_true(nytp_cgroup_processors("of-a", "groups") == 2.5);
}

static double bytes_of(const char *groups)
{
    file_write("of-it", groups);
    return nytp_cgroup_bytes("of-it", "groups");
}

static void bytes(void **state)
{
    (void)state;
    make("groups"), make("groups/shop"), make("groups/shop/web"), make("groups/shop/small");
    file_write("groups/shop/memory.max", "209715200\n");
    file_write("groups/shop/web/memory.max", "max\n");
    file_write("groups/shop/small/memory.max", "104857600\n");
    assert_true(bytes_of("0::/shop/small\n") == 104857600);
    assert_true(bytes_of("0::/shop/web\n") == 209715200);
    assert_true(bytes_of("0::/shop/gone\n") == 209715200);
    assert_true(bytes_of("0::/\n") == HUGE_VAL);
    assert_true(bytes_of("memory\n4:memory\n::\n") == HUGE_VAL);
}

static void bytes_of_version_1(void **state)
{
    (void)state;
    make("groups"), make("groups/memory"), make("groups/memory/old"), make("groups/memory/odd"),
        make("groups/memory/free");
    file_write("groups/memory/old/memory.limit_in_bytes", "314572800\n");
    file_write("groups/memory/free/memory.limit_in_bytes", "9223372036854771712\n");
    file_write("groups/memory/odd/memory.limit_in_bytes", "many\n");
    assert_true(bytes_of("9:name=systemd:/x\n4:memory:/old\n0::/\n") == 314572800);
    assert_true(bytes_of("4:cpu,memory:/old/below\n") == 314572800);
    assert_true(bytes_of("4:memory:/free\n") > 1e18);
    assert_true(bytes_of("4:memory:/odd\n") == HUGE_VAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_limit, enter_empty_directory, leave_directory),
        cmocka_unit_test_setup_teardown(processors, enter_empty_directory, leave_directory),
        cmocka_unit_test_setup_teardown(processors_of_version_1, enter_empty_directory, leave_directory),
        cmocka_unit_test_setup_teardown(bytes, enter_empty_directory, leave_directory),
        cmocka_unit_test_setup_teardown(bytes_of_version_1, enter_empty_directory, leave_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
