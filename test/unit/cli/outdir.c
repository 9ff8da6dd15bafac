/* A directory whose files appear together or not at all. */
#include "test/unit/support.h"
#include "cli/output.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The names below the directory, sorted, with a blank before each. */
static void assert_here(const char *expected)
{
    char got[512] = "";
    FILE *find = popen("find . -mindepth 1 -printf ' %P\\n' | sort | tr -d '\\n'", "r");
    assert_non_null(find);
    size_t length = fread(got, 1, sizeof got - 1, find);
    got[length] = '\0';
    assert_int_equal(pclose(find), 0);
    assert_string_equal(got, expected);
}

static void write_file(nytp_outdir *out, const char *name)
{
    FILE *file = nytp_outdir_file(out, name);
    assert_non_null(file);
    fputs(name, file);
}

static nytp_outdir *with_two_files(const char *path)
{
    nytp_outdir *out = nytp_outdir_open(path);
    assert_non_null(out);
    write_file(out, "a");
    write_file(out, "b");
    return out;
}

static void a_new_directory_has_all_files(void **state)
{
    (void)state;
    struct stat st;
    nytp_outdir *out = with_two_files("new/");
    assert_int_equal(stat("new", &st), -1);
    assert_int_equal(nytp_outdir_commit(out), 0);
    assert_here(" new new/a new/b");
    assert_file_holds("new/b", "b");
    assert_int_equal(stat("new", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0755);
}

static void an_old_directory_keeps_other_files(void **state)
{
    (void)state;
    assert_int_equal(mkdir("old", 0777), 0);
    file_write("old/b", "old");
    file_write("old/c", "old");
    nytp_outdir *out = with_two_files("old");
    assert_file_holds("old/b", "old");
    assert_int_equal(nytp_outdir_commit(out), 0);
    assert_here(" old old/a old/b old/c");
    assert_file_holds("old/b", "b");
    assert_file_holds("old/c", "old");
}

static void what_is_discarded_leaves_nothing(void **state)
{
    (void)state;
    nytp_outdir_discard(with_two_files("new"));
    assert_here("");
    nytp_outdir_discard(with_two_files("above/more/new"));
    assert_here("");
    assert_int_equal(mkdir("old", 0777), 0);
    nytp_outdir_discard(with_two_files("old"));
    assert_here(" old");
}

static void a_signal_leaves_nothing(void **state)
{
    (void)state;
    static const char *const paths[] = {"new", "old"};
    assert_int_equal(mkdir("old", 0777), 0);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        int status;
        pid_t pid = fork();
        if (pid == 0) {
            nytp_outdir *out = nytp_outdir_open(paths[i]);
            char name[8];
            for (int n = 0; n < 12 && out != NULL; n++) {
                snprintf(name, sizeof name, "f%d", n);
                if (nytp_outdir_file(out, name) == NULL)
                    _exit(1);
            }
            raise(SIGTERM);
            _exit(2);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        assert_here(" old");
    }
}

static void a_file_in_the_way_is_kept(void **state)
{
    (void)state;
    file_write("file", "kept");
    assert_null(nytp_outdir_open("file"));
    assert_null(nytp_outdir_open("file/below"));
    assert_file_holds("file", "kept");
    /* A directory has the name of a file to be. */
    assert_int_equal(mkdir("old", 0777), 0);
    assert_int_equal(mkdir("old/b", 0777), 0);
    assert_int_equal(nytp_outdir_commit(with_two_files("old")), -1);
    assert_here(" file old old/a old/b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_directory_has_all_files, enter_empty_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(an_old_directory_keeps_other_files, enter_empty_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(what_is_discarded_leaves_nothing, enter_empty_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(a_signal_leaves_nothing, enter_empty_directory, leave_directory),
        cmocka_unit_test_setup_teardown(a_file_in_the_way_is_kept, enter_empty_directory, leave_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
