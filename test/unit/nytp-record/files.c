/* The numbers of files in a recording, and the names that they get. */
#include "nytp-record/fold.h"

#include "test/unit/support.h"

#include <stdio.h>
#include <string.h>

typedef struct fixture {
    nytp_strings *strings;
    sampler_evals *evals;
    memory profile;
    nytp_writer *writer;
    record_files *files;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    f = (fixture){.strings = nytp_strings_new(), .evals = sampler_evals_new(100)};
    f.writer = nytp_writer_new(nytp_sink_callback(memory_write, &f.profile, "memory"), 0);
    nytp_writer_chunk(f.writer, &(nytp_chunk){.tag = NYTP_VERSION, .version.major = 5});
    f.files = record_files_new(f.writer, f.evals, NULL);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    record_files_free(f->files);
    sampler_evals_free(f->evals);
    nytp_writer_free(f->writer);
    nytp_strings_free(f->strings);
    memory_free(&f->profile);
    return 0;
}

static uint32_t fid(fixture *f, const char *name)
{
    return record_files_fid(f->files, f->strings, sampler_intern(f->strings, name, strlen(name)));
}

/* Expects the names of the NEW_FIDs, one in a line. */
static void assert_names(fixture *f, const char *names)
{
    char got[1000] = "";
    assert_int_equal(nytp_writer_finish(f->writer), 0);
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(f->profile.data, f->profile.size, "memory"));
    nytp_chunk chunk;
    while (nytp_reader_next(reader, &chunk) == NYTP_OK)
        if (chunk.tag == NYTP_NEW_FID) {
            size_t length = strlen(got);
            snprintf(got + length, sizeof got - length, "%.*s\n", (int)chunk.new_fid.name.length,
                     chunk.new_fid.name.bytes);
        }
    nytp_reader_free(reader);
    assert_string_equal(got, names);
}

static void a_name_has_one_number(void **state)
{
    fixture *f = *state;
    assert_int_equal(fid(f, "/usr/bin/one"), 1);
    assert_int_equal(fid(f, "/usr/bin/two"), 2);
    assert_int_equal(fid(f, "/usr/bin/one"), 1);
    assert_names(f, "/usr/bin/one\n/usr/bin/two\n");
}

static void names_are_those_of_perl_without_sources(void **state)
{
    fixture *f = *state;
    assert_int_equal(fid(f, "lib/A.pm"), 1);
    assert_int_equal(fid(f, "././lib/A.pm"), 2); /* numbers are those of perl's names */
    assert_int_equal(fid(f, "-e"), 3);
    assert_int_equal(fid(f, "-"), 4);
    assert_names(f, "lib/A.pm\n././lib/A.pm\n-e\n-\n");
}

static void what_is_not_known_has_no_number_or_one_of_its_own(void **state)
{
    fixture *f = *state;
    assert_int_equal(record_files_fid(f->files, f->strings, SAMPLER_NO_STRING), 0);
    uint32_t unknown = record_files_unknown(f->files);
    assert_int_equal(unknown, 1);
    assert_int_equal(record_files_unknown(f->files), unknown);
    assert_names(f, "/unknown-place\n");
}

/* After that another string may have the number. */
static void numbers_of_strings_are_forgotten(void **state)
{
    fixture *f = *state;
    assert_int_equal(fid(f, "/one"), 1);
    nytp_strings_free(f->strings);
    f->strings = nytp_strings_new();
    record_files_renumber(f->files);
    assert_int_equal(fid(f, "/two"), 2);
    assert_int_equal(fid(f, "/one"), 1); /* by its name */
    assert_names(f, "/one\n/two\n");
}

#define of_files(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        of_files(a_name_has_one_number),
        of_files(names_are_those_of_perl_without_sources),
        of_files(what_is_not_known_has_no_number_or_one_of_its_own),
        of_files(numbers_of_strings_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
