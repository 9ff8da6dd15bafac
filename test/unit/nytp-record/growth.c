/* What nytp-record keeps of a program does not grow with time: millions of evals and of names. */
#include "nytp-record/fold.h"
#include "sampler/sample/target.h"

#include "test/unit/in_use.h"
#include "test/unit/support.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What nytp-record.1 names. */
#define MOST_BYTES (64 << 20)

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
    *r = (recording){0};
    const sampler_subject none = sampler_subject_of((sampler_process_id){1, SAMPLER_NEVER});
    sampler_target_init(&r->target, &none, "", 1000);
    r->writer = nytp_writer_new(nytp_sink_callback(count_bytes, &r->bytes, "nowhere"), 0);
    nytp_writer_chunk(r->writer, &(nytp_chunk){.tag = NYTP_VERSION, .version.major = 5});
    r->fold = record_fold_new(r->writer, r->target.strings, NULL);
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

/* A million, and ten million with EXHAUSTIVE=1: test/nytp-record/growth.t. */
static void millions_of_evals_take_no_more_memory(void **state)
{
    enum { MILLION = 1000000, MEASURE = 10000, WITH_SUB = 10 /* one in so many */, PLACES = 100 };
    recording r;
    int evals = getenv("EXHAUSTIVE") != NULL ? 10 * MILLION : MILLION;
    (void)state;
    begin(&r);
    in_use kept = in_use_begin();
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
            in_use_measure(&kept);
    }
    end(&r);
    print_message("%zu MB, %zu MB of a profile\n", (kept.more) >> 20, (size_t)r.bytes >> 20);
    assert_true(kept.more < MOST_BYTES);
}

/* Programs may also make packages, subs and files without end. */
static void neither_do_other_names(void **state)
{
    enum { NAMES = 300000, MEASURE = 10000 };
    recording r;
    (void)state;
    begin(&r);
    in_use kept = in_use_begin();
    for (int n = 0; n < NAMES; n++) {
        trim(&r);
        uint32_t file = intern(&r, "generated-%d.pl", n);
        sampler_frame frame = {
            .kind = SAMPLER_FRAME_SUB, .file = file, .line = 1, .own_file = file, .own_line = 1};
        frame.name = intern(&r, "Some::Package::With::A::Name%d::handler", n);
        sampler_stack stack = {.frames = &frame, .count = 1, .file = file, .line = 2};
        record_fold_add(r.fold, &stack, 1);
        if (n % MEASURE == 0)
            in_use_measure(&kept);
    }
    end(&r);
    print_message("%zu MB\n", (kept.more) >> 20);
    assert_true(kept.more < MOST_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(millions_of_evals_take_no_more_memory),
        cmocka_unit_test(neither_do_other_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
