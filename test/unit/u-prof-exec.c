/* The collector's output around an exec, and how it chooses to compress. */
#include "test/unit/prof_support.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int levels[] = {0, 1, 6, 9};

/* ---- before an exec, and after it failed ---- */

/* count lines and the end of the process, then the end of the file, which is whole now. */
static void end_with(prof_output *output, uint32_t written, uint32_t count)
{
    prof_output_remember(output);
    put_lines(output, written, count);
    prof_output_chunk(output, &process_end);
    prof_output_end_for_now(output);
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

static void an_end_is_whole_and_can_be_taken_back(void **state)
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

static void it_can_be_without_a_thread(void **state)
{
    (void)state;
    in_child(end_and_resume_without_thread);
}

/* Nothing but what is written takes an end back: not time, and not a file that is closed. */
static void an_end_stays(void **state)
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

/* perl code may run while exec's arguments are looked at. */
static void what_comes_before_resume_is_kept(void **state)
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
    prof_output_remember(output);
    put_lines(output, 300000, 300000);
    prof_output_chunk(output, &process_end);
    prof_output_end_for_now(output);
    kill(getpid(), SIGKILL);
}

static void a_process_that_is_gone_has_left_a_whole_file(void **state)
{
    int status;
    (void)state;
    waitpid(start_child(end_and_die), &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_lines(scratch("died"), 600000, NYTP_END);
}

static void what_cannot_be_taken_back_is_told(void **state)
{
    const char *message = NULL;
    (void)state;
    prof_output *output = begin_output("/dev/null", 6);
    prof_output_remember(output);
    prof_output_chunk(output, &process_end);
    prof_output_end_for_now(output);
    assert_no_failure(output);
    prof_output_resume(output);
    put_lines(output, 0, 300000);
    assert_true(prof_output_failed(output, &message));
    assert_non_null(strstr(message, "exec"));
    assert_true(prof_output_failed(output, &message));
    assert_null(message);
    close_output(output);
}

/* ---- how to compress ---- */

enum { PIECES = 40, PIECE_TURNS = 1000, LOOP_LINES = 20, PAUSE_LONGEST_US = 100000 };

/* Statements that take as long as real ones: they hardly differ. */
static void put_loop(prof_output *output, uint64_t seed)
{
    for (uint32_t n = 0; n < PIECE_TURNS * LOOP_LINES; n++) {
        unsigned char *at = prof_output_room(output);
        *at++ = NYTP_TIME_LINE;
        at = nytp_put_i32(at, (int32_t)(random_next(&seed) % 5 / 2));
        at = nytp_put_u32(at, 1);
        prof_output_publish(output, nytp_put_u32(at, 100 + n % LOOP_LINES));
    }
}

static void assert_loops(const char *path)
{
    nytp_chunk chunk;
    size_t count = 0;
    nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
    int end;
    while ((end = nytp_reader_next(reader, &chunk)) == NYTP_OK)
        count += chunk.tag == NYTP_TIME_LINE;
    nytp_reader_free(reader);
    assert_int_equal(end, NYTP_END);
    assert_int_equal(count, PIECES * PIECE_TURNS * LOOP_LINES);
}

/* The thread is never behind, but hurries with what it has not begun when the pause is over. */
static void write_in_peace(const char *path, unsigned pause_us)
{
    prof_output *output = begin_output(path, 6);
    for (uint32_t i = 0; i < PIECES; i++) {
        put_loop(output, i);
        usleep(pause_us);
        prof_output_sync(output);
    }
    close_output(output);
    assert_loops(path);
}

static void write_in_haste(const char *path)
{
    prof_output *output = begin_output(path, 6);
    for (uint32_t i = 0; i < PIECES; i++)
        put_loop(output, i);
    close_output(output);
    assert_loops(path);
}

static void write_on_one_processor(void)
{
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (unsigned cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    write_in_peace(scratch("one"), 0);
}

static void there_is_time_where_there_are_processors(void **state)
{
    cpu_set_t all;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    in_child(write_on_one_processor);
    write_in_haste(scratch("haste"));
    const bool is_one = CPU_COUNT(&all) == 1;
    const size_t one = file_size(scratch("one"));
    size_t peace;
    unsigned pause_us = 0;
    do { /* others may be busy */
        write_in_peace(scratch("peace"), pause_us);
        peace = file_size(scratch("peace"));
        pause_us = pause_us * 10 + 100;
    } while (!is_one && peace >= one && pause_us <= PAUSE_LONGEST_US);
    if (is_one)
        assert_in_range(peace, one * 99 / 100, one * 101 / 100);
    else
        assert_in_range(peace, 1, one - 1);
#ifdef __SANITIZE_THREAD__ /* slows the program so much that there is no haste */
    const size_t least = 1;
#else
    const size_t least = peace * 8 / 10;
#endif
    assert_in_range(file_size(scratch("haste")), least, one * 11 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_is_whole_and_can_be_taken_back),
        cmocka_unit_test(it_can_be_without_a_thread),
        cmocka_unit_test(an_end_stays),
        cmocka_unit_test(what_comes_before_resume_is_kept),
        cmocka_unit_test(a_process_that_is_gone_has_left_a_whole_file),
        cmocka_unit_test(what_cannot_be_taken_back_is_told),
        cmocka_unit_test(there_is_time_where_there_are_processors),
    };
    return cmocka_run_group_tests_name("prof-exec", tests, scratch_make, scratch_remove);
}
