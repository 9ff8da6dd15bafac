/* What nytp-record makes of stacks: chunks of a profile. */
#include "nytp-record/fold.h"

#include "test/unit/support.h"

#include <stdio.h>
#include <string.h>

/* The stack of main::outer, called by program.pl, which does an eval, in which an anonymous sub runs. */
typedef struct fixture {
    nytp_strings *strings;
    memory profile;
    nytp_writer *writer;
    record_fold *fold;
    sampler_frame frames[3];
    sampler_stack stack;
} fixture;

static uint32_t intern(const fixture *f, const char *text)
{
    return sampler_intern(f->strings, text, strlen(text));
}

static int set_up(void **state)
{
    static fixture f;
    f = (fixture){.strings = nytp_strings_new()};
    f.writer = nytp_writer_new(nytp_sink_callback(memory_write, &f.profile, "memory"), 0);
    f.fold = record_fold_new(f.writer, f.strings, NULL);
    nytp_writer_chunk(f.writer, &(nytp_chunk){.tag = NYTP_VERSION, .version.major = 5});
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    record_fold_free(f->fold);
    nytp_writer_free(f->writer);
    nytp_strings_free(f->strings);
    memory_free(&f->profile);
    return 0;
}

static void set_stack(fixture *f, int eval)
{
    char file[32], sub[64];
    snprintf(file, sizeof file, "(eval %d)", eval);
    snprintf(sub, sizeof sub, "main::__ANON__[(eval %d):1]", eval);
    uint32_t program = intern(f, "program.pl"), in_eval = intern(f, file);
    sampler_frame outer = {
        .name = intern(f, "main::outer"), .file = program, .line = 1, .own_file = program, .own_line = 2};
    sampler_frame string = {
        .kind = SAMPLER_FRAME_EVAL_STRING, .name = SAMPLER_NO_STRING, .file = program, .line = 3};
    sampler_frame inner = {
        .name = intern(f, sub), .file = in_eval, .line = 1, .own_file = in_eval, .own_line = 1};
    f->frames[0] = outer;
    f->frames[1] = string;
    f->frames[2] = inner;
    f->stack = (sampler_stack){.frames = f->frames, .count = COUNT(f->frames), .file = in_eval, .line = 1};
}

/* The chunks of the whole profile. The caller frees it. */
static reading finish(fixture *f)
{
    record_fold_conclude(f->fold);
    assert_int_equal(nytp_writer_finish(f->writer), 0);
    return read_bytes(f->profile.data, f->profile.size, plainly);
}

static int count_in(const reading *r, const char *text)
{
    int count = 0;
    for (const char *at = r->text; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

static void each_sample_has_one_line(void **state)
{
    fixture *f = *state;
    set_stack(f, 1);
    record_fold_add(f->fold, &f->stack, 100);
    f->stack.count = 0;
    f->stack.file = SAMPLER_NO_STRING;
    record_fold_add(f->fold, &f->stack, 200);
    record_fold_add(f->fold, &f->stack, 300);
    reading r = finish(f);
    assert_int_equal(count_in(&r, "TIME_LINE"), 3);
    assert_int_equal(count_in(&r, "/unknown-place"), 1);
    reading_free(&r);
}

/* Readers merge all evals of a place if there are more than 200. */
static void a_place_has_201_evals_at_most(void **state)
{
    fixture *f = *state;
    for (int n = 1; n <= 1000; n++) {
        set_stack(f, n);
        record_fold_add(f->fold, &f->stack, 1);
    }
    reading r = finish(f);
    assert_int_equal(count_in(&r, "NEW_FID"), 202); /* program.pl, too */
    assert_int_equal(count_in(&r, "TIME_LINE"), 1000);
    assert_contains(r.text, "(eval%20200)[program.pl:3]");
    assert_contains(r.text, "main::__ANON__[(eval%20201)[program.pl:3]:1]");
    assert_null(strstr(r.text, "(eval%20202)"));
    reading_free(&r);
}

static void calls_go_on_when_strings_have_other_numbers(void **state)
{
    fixture *f = *state;
    for (int n = 0; n < 3; n++) {
        nytp_strings *old = f->strings;
        f->strings = nytp_strings_new();
        for (int more = 0; more < n; more++)
            intern(f, more == 0 ? "another" : "and another");
        record_fold_renumber(f->fold, f->strings);
        nytp_strings_free(old);
        set_stack(f, 1);
        record_fold_add(f->fold, &f->stack, 1);
        record_fold_add(f->fold, &f->stack, 1);
    }
    reading r = finish(f);
    assert_int_equal(count_in(&r, "SUB_ENTRY"), 2);
    assert_int_equal(count_in(&r, "SUB_RETURN"), 2);
    assert_int_equal(count_in(&r, "NEW_FID"), 2);
    assert_int_equal(count_in(&r, "TIME_LINE"), 6);
    reading_free(&r);
}

/* Another program has evals of the same names. */
static void a_new_program_has_other_evals(void **state)
{
    fixture *f = *state;
    set_stack(f, 1);
    record_fold_add(f->fold, &f->stack, 1);
    record_fold_end_program(f->fold);
    f->frames[1].line = 33;
    record_fold_add(f->fold, &f->stack, 1);
    reading r = finish(f);
    assert_contains(r.text, "main::__ANON__[(eval%201)[program.pl:3]:1]");
    assert_contains(r.text, "main::__ANON__[(eval%201)[program.pl:33]:1]");
    reading_free(&r);
}

#define with_fold(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_fold(each_sample_has_one_line),
        with_fold(a_place_has_201_evals_at_most),
        with_fold(calls_go_on_when_strings_have_other_numbers),
        with_fold(a_new_program_has_other_evals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
