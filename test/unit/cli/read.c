/* Reading the inputs of a program: what it says about good and bad profiles, and what it returns. */
#include "test/unit/capture.h"
#include "test/unit/support.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[] = "/tmp/nytp-u-read-XXXXXX";
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

/* Reads path: there are that many SUB_RETURN, and one line on stderr, which begins with start and the
 * profile's name and ends with end. start NULL: there is no line. */
static void assert_reads(nytp_common_options options, int result, size_t returns, const char *start,
                         const char *end)
{
    size_t read = 0;
    char expected[128];
    capture c = capture_begin(STDERR_FILENO);
    const nytp_read_handler handler = {
        .tags = nytp_tag_bit(NYTP_SUB_RETURN), .read_some = count_returns, .context = &read};
    int rc = nytp_read(path, &options, &handler);
    const char *complaint = capture_end(&c);
    assert_int_equal(rc, result);
    assert_int_equal(read, returns);
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

static void a_cut_profile_is_used_as_far_as_it_goes(void **state)
{
    static const char used[] = ": 1 process killed or still running; what is there is used\n";
    memory m = sample_stream(false);
    (void)state;
    write_file(&m, m.size - 5); /* within the PID_END */
    assert_reads((nytp_common_options){0}, 1, 2, WARNING, used);
    assert_reads((nytp_common_options){.salvage = true}, 1, 2, WARNING, used);
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
    assert_reads((nytp_common_options){0}, -1, 2, ERROR,
                 "unknown tag 0xee: expected a chunk (--salvage uses what precedes it)\n");
    assert_reads((nytp_common_options){.strict = true}, -1, 2, ERROR,
                 "unknown tag 0xee: expected a chunk (--salvage uses what precedes it)\n");
    assert_reads((nytp_common_options){.salvage = true}, 1, 2, WARNING,
                 "unknown tag 0xee: expected a chunk (what precedes it is used)\n");
    memory_free(&m);
}

static void a_file_that_is_not_a_profile_cannot_be_salvaged(void **state)
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

static void senseless_lines_make_one_warning(void **state)
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

/* Nothing is said of an empty file until it is known whether another one has something. This has to be the
 * first test, since it looks at all that the process has read. */
static void an_empty_profile_is_said_in_one_line(void **state)
{
    memory m = sample_stream(false);
    char expected[160];
    (void)state;
    write_file(&m, 0);
    assert_reads((nytp_common_options){0}, 1, 0, NULL, NULL);
    snprintf(expected, sizeof expected, ERROR "there is nothing to write: %s is empty\n", path);
    capture c = capture_begin(STDERR_FILENO);
    assert_true(nytp_read_nothing("write"));
    assert_string_equal(capture_end(&c), expected);
    write_file(&m, m.size);
    snprintf(expected, sizeof expected, WARNING "%s is empty\n", path);
    size_t returns = 0;
    c = capture_begin(STDERR_FILENO);
    const nytp_read_handler handler = {.read_some = count_returns, .context = &returns};
    assert_int_equal(nytp_read(path, &(nytp_common_options){0}, &handler), 0);
    assert_string_equal(capture_end(&c), expected);
    assert_false(nytp_read_nothing("write"));
    memory_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_profile_is_said_in_one_line),
        cmocka_unit_test(a_whole_profile_is_read_in_silence),
        cmocka_unit_test(a_cut_profile_is_used_as_far_as_it_goes),
        cmocka_unit_test(a_damaged_profile_gives_nothing_unless_salvaged),
        cmocka_unit_test(a_file_that_is_not_a_profile_cannot_be_salvaged),
        cmocka_unit_test(senseless_lines_make_one_warning),
    };
    return cmocka_run_group_tests_name("read", tests, make_directory, remove_directory);
}
