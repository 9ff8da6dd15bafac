/* What nytp-record and nytp-top keep does not grow with time: millions of evals, names and processes. */
#include "nytp-record/fold.h"
#include "sampler/process/clock.h"
#include "sampler/sample/rejected.h"
#include "sampler/sample/target.h"
#include "nytp-top/counts.h"

#include "test/unit/support.h"

#include <glib.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What nytp-record.1 and nytp-top.1 name. */
#define MOST_BYTES (64 << 20)

static size_t most_bytes; /* that were in use */

static size_t bytes_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void measure(void)
{
    size_t bytes = bytes_in_use();
    most_bytes = bytes > most_bytes ? bytes : most_bytes;
}

/* ---- a program that is sampled ---- */

typedef struct recording {
    sampler_target target;
    nytp_writer *writer;
    record_fold *fold;
    uint64_t bytes; /* of the profile */
} recording;

static int count_bytes(void *context, const void *data, size_t size)
{
    (void)data;
    *(uint64_t *)context += size;
    return 0;
}

static void begin(recording *r)
{
    most_bytes = 0;
    *r = (recording){0};
    sampler_target_init(&r->target, (sampler_process_id){1, SAMPLER_NEVER}, "", 1000);
    r->writer = nytp_writer_new(nytp_sink_callback(count_bytes, &r->bytes, "nowhere"), 0);
    nytp_writer_chunk(r->writer, &(nytp_chunk){.tag = NYTP_VERSION, .version.major = 5});
    r->fold = record_fold_new(r->writer, r->target.strings, "/");
}

static void end(recording *r)
{
    record_fold_conclude(r->fold);
    record_fold_free(r->fold);
    assert_string_equal(nytp_writer_error(r->writer)->message, "");
    nytp_writer_free(r->writer);
    sampler_target_clear(&r->target);
}

/* As the recorder does. */
static void trim(recording *r)
{
    if (sampler_target_trim(&r->target))
        record_fold_renumber(r->fold, r->target.strings);
}

__attribute__((format(printf, 2, 3))) static uint32_t intern(const recording *r, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sampler_intern(r->target.strings, text, (size_t)length);
}

/* A million, and ten million with EXHAUSTIVE=1: test/growth.t. */
static void millions_of_evals_take_no_more_memory(void **state)
{
    enum { MILLION = 1000000, MEASURE = 10000, WITH_SUB = 10 /* one in so many */, PLACES = 100 };
    recording r;
    int evals = getenv("EXHAUSTIVE") != NULL ? 10 * MILLION : MILLION;
    (void)state;
    begin(&r);
    size_t before = bytes_in_use();
    for (int n = 0; n < evals; n++) {
        trim(&r);
        uint32_t program = intern(&r, "program.pl"), eval = intern(&r, "(eval %d)", n);
        sampler_frame frames[] = {
            {.kind = SAMPLER_FRAME_SUB,
             .name = intern(&r, "main::loop"),
             .file = program,
             .line = 1,
             .own_file = program},
            {.kind = SAMPLER_FRAME_EVAL_STRING,
             .name = SAMPLER_NO_STRING,
             .file = program,
             .line = (uint32_t)n % PLACES},
            {.kind = SAMPLER_FRAME_SUB, .file = eval, .line = 1, .own_file = eval, .own_line = 1},
        };
        sampler_stack stack = {.frames = frames, .count = 2, .file = eval, .line = 2};
        if (n % WITH_SUB == 0) {
            frames[2].name = intern(&r, "main::__ANON__[(eval %d):1]", n);
            stack.count = 3;
        }
        record_fold_add(r.fold, &stack, 1);
        if (n % MEASURE == 0)
            measure();
    }
    end(&r);
    print_message("%zu MB, %zu MB of a profile\n", (most_bytes - before) >> 20, (size_t)r.bytes >> 20);
    assert_true(most_bytes - before < MOST_BYTES);
}

/* Programs may also make packages, subs and files without end. */
static void neither_do_other_names(void **state)
{
    enum { NAMES = 300000, MEASURE = 10000 };
    recording r;
    (void)state;
    begin(&r);
    size_t before = bytes_in_use();
    for (int n = 0; n < NAMES; n++) {
        trim(&r);
        uint32_t file = intern(&r, "generated-%d.pl", n);
        sampler_frame frame = {
            .kind = SAMPLER_FRAME_SUB, .file = file, .line = 1, .own_file = file, .own_line = 1};
        frame.name = intern(&r, "Some::Package::With::A::Name%d::handler", n);
        sampler_stack stack = {.frames = &frame, .count = 1, .file = file, .line = 2};
        record_fold_add(r.fold, &stack, 1);
        if (n % MEASURE == 0)
            measure();
    }
    end(&r);
    print_message("%zu MB\n", (most_bytes - before) >> 20);
    assert_true(most_bytes - before < MOST_BYTES);
}

/* ---- processes ---- */

static void a_million_processes_take_no_more_memory(void **state)
{
    enum { PROCESSES = 1000000, AT_ONCE = 100 };
    sampler_rejected *r = sampler_rejected_new();
    size_t before = bytes_in_use();
    (void)state;
    most_bytes = 0;
    for (int n = 0; n < PROCESSES; n += AT_ONCE) {
        for (int one = n; one < n + AT_ONCE; one++) {
            sampler_process p = {.id = {one % 4000000, (uint64_t)one}};
            assert_null(sampler_rejected_find(r, &p, "/bin/sh", one));
            sampler_rejected_add(r, &p, "/bin/sh", SAMPLER_NOT_PERL, "/bin/sh is not a perl", one);
        }
        sampler_rejected_end_look(r);
        measure();
    }
    sampler_rejected_free(r);
    assert_true(most_bytes - before < 1 << 20);
}

/* ---- the tables of nytp-top ---- */

static void tables_keep_what_takes_most_time(void **state)
{
    enum { NAMES = 300000, SECOND = 1000 };
    top_counts *c = top_counts_new();
    size_t before = bytes_in_use(), count;
    char name[64];
    (void)state;
    most_bytes = 0;
    for (int n = 0; n < NAMES; n++) {
        snprintf(name, sizeof name, "Some::Package::handler%d", n);
        top_counts_begin_stack(c, 0.001);
        top_counts_on_stack(c, "main::loop");
        top_counts_on_stack(c, name);
        top_counts_at_work(c, n % 2 == 0 ? "main::loop" : name);
        if (n % SECOND == 0) {
            top_counts_next_second(c);
            measure();
        }
    }
    assert_true(most_bytes - before < MOST_BYTES / 4);
    top_row *rows = top_counts_rows(c, TOP_SELF, "", &count);
    double self = 0;
    assert_in_range(count, TOP_MOST / 2, TOP_MOST + 2);
    assert_string_equal(rows[0].name, "main::loop");
    assert_string_equal(rows[1].name, TOP_OTHERS);
    for (size_t n = 0; n < count; n++)
        self += rows[n].self;
    assert_true(self > 0.999 && self < 1.001); /* nothing is lost */
    g_free(rows);
    top_counts_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(millions_of_evals_take_no_more_memory),
        cmocka_unit_test(neither_do_other_names),
        cmocka_unit_test(a_million_processes_take_no_more_memory),
        cmocka_unit_test(tables_keep_what_takes_most_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
