/* The limits of control groups, of both versions. */
#include "cli/machine.h"
#include "test/unit/support.h"

#include <glib.h>
#include <glib/gstdio.h>

#define MIB (UINT64_C(1) << 20)

static char *root;

static void put(const char *path, const char *text)
{
    g_autofree char *full = g_build_filename(root, path, NULL), *directory = g_path_get_dirname(full);
    g_mkdir_with_parents(directory, 0700);
    assert_true(g_file_set_contents(full, text, -1, NULL));
}

static int make_root(void **state)
{
    (void)state;
    root = g_dir_make_tmp("nytp-machine-XXXXXX", NULL);
    put("shop.slice/memory.max", "209715200\n"); /* 200 MiB */
    put("shop.slice/web.service/memory.max", "max\n");
    put("shop.slice/small.service/memory.max", "104857600\n");
    put("memory/old/memory.limit_in_bytes", "314572800\n");
    put("memory/free/memory.limit_in_bytes", "9223372036854771712\n");
    put("memory/odd/memory.limit_in_bytes", "many\n");
    return 0;
}

static int remove_root(void **state)
{
    (void)state;
    g_autofree char *command = g_strdup_printf("rm -r %s", root);
    g_free(root);
    return g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL) ? 0 : -1;
}

static void groups_are_limited_by_those_around_them(void **state)
{
    (void)state;
    assert_int_equal(nytp_cgroup_bytes("0::/shop.slice/small.service\n", root), 100 * MIB);
    assert_int_equal(nytp_cgroup_bytes("0::/shop.slice/web.service\n", root), 200 * MIB);
    assert_int_equal(nytp_cgroup_bytes("0::/shop.slice/gone.service\n", root), 200 * MIB);
    assert_int_equal(nytp_cgroup_bytes("0::/\n", root), UINT64_MAX);
}

static void the_first_version_has_a_tree_for_memory(void **state)
{
    (void)state;
    assert_int_equal(nytp_cgroup_bytes("9:name=systemd:/x\n4:memory:/old\n0::/\n", root), 300 * MIB);
    assert_int_equal(nytp_cgroup_bytes("4:cpu,memory:/old/below\n", root), 300 * MIB);
    assert_true(nytp_cgroup_bytes("4:memory:/free\n", root) > UINT64_C(1) << 60);
}

static void what_makes_no_sense_is_no_limit(void **state)
{
    (void)state;
    assert_int_equal(nytp_cgroup_bytes("", root), UINT64_MAX);
    assert_int_equal(nytp_cgroup_bytes("memory\n4:memory\n::\n4:memory:/odd\n", root), UINT64_MAX);
    assert_true(nytp_machine_bytes() > 100 * MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_limited_by_those_around_them),
        cmocka_unit_test(the_first_version_has_a_tree_for_memory),
        cmocka_unit_test(what_makes_no_sense_is_no_limit),
    };
    return cmocka_run_group_tests_name("machine", tests, make_root, remove_root);
}
