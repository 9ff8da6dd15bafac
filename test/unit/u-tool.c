/* What programs do alike: options, messages, and what they make of good and bad profiles. */
#include "test/unit/capture.h"
#include "test/unit/support.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/nytp-u-tool-XXXXXX";
static char path[64];

static int make_directory(void **state)
{
    (void)state;
    nytp_start("some-tool", (char *[]){NULL, NULL});
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/p.out", dir);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(dir);
}

/* ---- messages ---- */

static void messages_begin_with_the_name(void **state)
{
    capture c = capture_begin(STDERR_FILENO);
    (void)state;
    nytp_say("%d %s", 3, "things");
    assert_string_equal(capture_end(&c), "some-tool: 3 things\n");
}

static void a_broken_pipe_is_not_ignored(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    nytp_start("some-tool", (char *[]){NULL, NULL});
    assert_true(signal(SIGPIPE, SIG_DFL) == SIG_DFL);
}

/* ---- reading ---- */

static int count_returns(void *count, nytp_reader *reader)
{
    nytp_chunk chunk;
    int rc = nytp_reader_next(reader, &chunk);
    *(size_t *)count += rc == NYTP_OK;
    return rc;
}

static void write_file(const memory *m, size_t size)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(m->data, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

/* Reads path: returns so many SUB_RETURN, and complains in one line that begins with the profile's name
 * after start, goes on in the reader's words and ends with end; start NULL: in none. */
static void assert_reads(nytp_common_options options, int result, size_t returns, const char *start,
                         const char *end)
{
    size_t taken = 0;
    char expected[128];
    capture c = capture_begin(STDERR_FILENO);
    int rc = nytp_read(path, &options, nytp_tag_bit(NYTP_SUB_RETURN), count_returns, &taken);
    const char *complaint = capture_end(&c);
    assert_int_equal(rc, result);
    assert_int_equal(taken, returns);
    if (start == NULL) {
        assert_string_equal(complaint, "");
        return;
    }
    snprintf(expected, sizeof expected, "%s%s: ", start, path);
    assert_memory_equal(complaint, expected, strlen(expected));
    assert_true(strlen(complaint) >= strlen(end));
    assert_string_equal(complaint + strlen(complaint) - strlen(end), end);
    assert_ptr_equal(strchr(complaint, '\n'), complaint + strlen(complaint) - 1);
}

#define ERROR   "some-tool: "
#define WARNING "some-tool: warning: "

static void a_whole_profile_is_read_in_silence(void **state)
{
    memory m = sample_stream(true);
    (void)state;
    write_file(&m, m.size);
    assert_reads((nytp_common_options){0}, 0, 2, NULL, NULL);
    assert_reads((nytp_common_options){.strict = true, .salvage = true}, 0, 2, NULL, NULL);
    memory_free(&m);
}

static void a_cut_profile_gives_what_is_there(void **state)
{
    static const char taking[] = "; no end of process 4711 (taking what is there)\n";
    memory m = sample_stream(false);
    (void)state;
    write_file(&m, m.size - 5); /* within the PID_END */
    assert_reads((nytp_common_options){0}, 1, 2, WARNING, taking);
    assert_reads((nytp_common_options){.salvage = true}, 1, 2, WARNING, taking);
    assert_reads((nytp_common_options){.strict = true}, -1, 2, ERROR, "; no end of process 4711\n");
    assert_reads((nytp_common_options){.strict = true, .salvage = true}, -1, 2, ERROR,
                 "; no end of process 4711\n");
    memory_free(&m);
}

static void a_damaged_profile_gives_nothing_unless_salvaged(void **state)
{
    memory m = sample_stream(false);
    (void)state;
    size_t at = m.size - 11; /* tag, pid of 2 bytes, time of 8 */
    assert_int_equal(m.data[at], NYTP_PID_END);
    m.data[at] = 0xEE; /* no tag */
    write_file(&m, m.size);
    assert_reads((nytp_common_options){0}, -1, 2, ERROR, "unknown tag 0xee: expected a chunk\n");
    assert_reads((nytp_common_options){.strict = true}, -1, 2, ERROR, "unknown tag 0xee: expected a chunk\n");
    assert_reads((nytp_common_options){.salvage = true}, 1, 2, WARNING,
                 "unknown tag 0xee: expected a chunk (salvaging what came before)\n");
    memory_free(&m);
}

static void what_is_no_profile_cannot_be_salvaged(void **state)
{
    memory m = {0};
    (void)state;
    memory_add(&m, "#!/usr/bin/perl\n", 16);
    write_file(&m, m.size);
    assert_reads((nytp_common_options){.salvage = true}, -1, 0, ERROR, " or \"#fOrTyTwO\"\n");
    unlink(path);
    assert_reads((nytp_common_options){.salvage = true}, -1, 0, ERROR, ": No such file or directory\n");
    memory_free(&m);
}

static void lines_that_make_no_sense_are_told_once(void **state)
{
    static const char *const ends[] = {
        [1] = "skipped\n", [2] = "skipped (and 1 more)\n", [3] = "skipped (and 2 more)\n"};
    (void)state;
    for (size_t lines = 1; lines < COUNT(ends); lines++) {
        memory m = stream_begin();
        for (size_t i = 0; i < lines; i++)
            memory_add(&m, ":nonsense\n", 10);
        memory_add(&m, "p\7\0\0\0\0\0\0\0\0", 10);
        write_file(&m, m.size);
        assert_reads((nytp_common_options){0}, 0, 0, WARNING, ends[lines]);
        memory_free(&m);
    }
}

static void counts_are_words(void **state)
{
    (void)state;
    assert_string_equal(nytp_counted(0, "call").text, "0 calls");
    assert_string_equal(nytp_counted(1, "call").text, "1 call");
    assert_string_equal(nytp_counted(2, "process").text, "2 processes");
    assert_string_equal(nytp_counted(UINT64_MAX, "different stack").text,
                        "18446744073709551615 different stacks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_begin_with_the_name),
        cmocka_unit_test(a_broken_pipe_is_not_ignored),
        cmocka_unit_test(a_whole_profile_is_read_in_silence),
        cmocka_unit_test(a_cut_profile_gives_what_is_there),
        cmocka_unit_test(a_damaged_profile_gives_nothing_unless_salvaged),
        cmocka_unit_test(what_is_no_profile_cannot_be_salvaged),
        cmocka_unit_test(lines_that_make_no_sense_are_told_once),
        cmocka_unit_test(counts_are_words),
    };
    return cmocka_run_group_tests_name("tool", tests, make_directory, remove_directory);
}
