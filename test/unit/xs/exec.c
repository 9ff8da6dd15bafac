/* The collector's output around an exec. */
#include "test/unit/prof_support.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int levels[] = {0, 1, 6, 9};

/* ---- before an exec, and after it has failed ---- */

/* Writes count lines and the end of the process, then the end of the file, which is complete then. */
static void end_with(prof_output *output, uint32_t written, uint32_t count)
{
    prof_output_mark(output);
    put_lines(output, written, count);
    prof_output_chunk(output, &process_end);
    prof_output_end_for_exec(output);
    assert_lines(prof_output_path(output), written + count, NYTP_END);
}

static void assert_no_failure(prof_output *output)
{
    const char *message;
    assert_false(prof_output_failed(output, &message));
}

static void end_and_resume_at(int level)
{
    enum { LARGE = 1200000 /* more than all blocks hold */ };
    static const uint32_t tails[] = {0, 1, 1000, LARGE, 70000};
    prof_output *output = begin_output(scratch("exec"), level);
    uint32_t written = 0;
    for (size_t i = 0; i < 2 * COUNT(tails); i++) {
        end_with(output, written, level == 9 ? tails[i / 2] / 8 : tails[i / 2]);
        prof_output_resume(output);
        const uint32_t more = i % 3 == 0 ? 0 : i % 3 == 1 ? 10 : 90000;
        put_lines(output, written, more);
        written += more;
    }
    assert_no_failure(output);
    close_output(output);
    assert_lines(scratch("exec"), written, NYTP_END);
}

static void an_end_for_exec_is_complete_and_can_be_cut_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++)
        end_and_resume_at(levels[i]);
}

static void end_and_resume_without_thread(void)
{
    forbid_threads();
    end_and_resume_at(6);
    end_and_resume_at(0);
}

static void an_end_for_exec_works_without_a_thread(void **state)
{
    (void)state;
    in_child(end_and_resume_without_thread);
}

/* Only writing cuts an end off: time does not, nor does closing the output. */
static void an_end_stays_unless_something_is_written(void **state)
{
    (void)state;
    prof_output *output = begin_output(scratch("stays"), 6);
    end_with(output, 0, 5000);
    usleep(1200000);
    assert_lines(scratch("stays"), 5000, NYTP_END);
    prof_output_finish(output);
    assert_lines(scratch("stays"), 5000, NYTP_END);
    prof_output_close(output);
    assert_lines(scratch("stays"), 5000, NYTP_END);
}

/* Perl code may run while the arguments of exec are evaluated. */
static void events_before_resume_are_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++) {
        const char *path = scratch("meanwhile");
        prof_output *output = begin_output(path, levels[i]);
        put_lines(output, 0, 100);
        end_with(output, 100, 2000);
        put_lines(output, 100, 50);
        usleep(1200000);
        assert_lines(path, 150, NYTP_CUT);
        end_with(output, 150, 2000); /* another exec in there */
        put_lines(output, 150, 60000);
        end_with(output, 60150, 3);
        prof_output_resume(output);
        prof_output_resume(output);
        put_lines(output, 60150, 10);
        assert_no_failure(output);
        close_output(output);
        assert_lines(path, 60160, NYTP_END);
    }
}

static void end_and_die(void)
{
    prof_output *output = begin_output(scratch("died"), 6);
    put_lines(output, 0, 300000);
    prof_output_mark(output);
    put_lines(output, 300000, 300000);
    prof_output_chunk(output, &process_end);
    prof_output_end_for_exec(output);
    kill(getpid(), SIGKILL);
}

static void a_process_that_calls_exec_leaves_a_complete_file(void **state)
{
    int status;
    (void)state;
    waitpid(start_child(end_and_die), &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_lines(scratch("died"), 600000, NYTP_END);
}

static void an_end_that_cannot_be_cut_off_is_reported(void **state)
{
    const char *message = NULL;
    (void)state;
    prof_output *output = begin_output("/dev/null", 6);
    prof_output_mark(output);
    prof_output_chunk(output, &process_end);
    prof_output_end_for_exec(output);
    assert_no_failure(output);
    prof_output_resume(output);
    put_lines(output, 0, 300000);
    assert_true(prof_output_failed(output, &message));
    assert_contains(message, "exec");
    assert_true(prof_output_failed(output, &message));
    assert_null(message);
    close_output(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_for_exec_is_complete_and_can_be_cut_off),
        cmocka_unit_test(an_end_for_exec_works_without_a_thread),
        cmocka_unit_test(an_end_stays_unless_something_is_written),
        cmocka_unit_test(events_before_resume_are_kept),
        cmocka_unit_test(a_process_that_calls_exec_leaves_a_complete_file),
        cmocka_unit_test(an_end_that_cannot_be_cut_off_is_reported),
    };
    return cmocka_run_group_tests_name("prof-exec", tests, scratch_make, scratch_remove);
}
