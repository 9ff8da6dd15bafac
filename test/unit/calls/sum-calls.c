/* Sums of the calls that filters leave: each call with the line that made it, if the stream says it. */
#include "calls/derive_arcs.h"
#include "test/unit/filtered.h"
#include "test/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME(l)                                                                                              \
    {                                                                                                        \
        .tag = NYTP_TIME_LINE, .time = {.ticks = 10, .fid = 1, .line = (l) }                                 \
    }
#define DISCOUNT                                                                                             \
    {                                                                                                        \
        .tag = NYTP_DISCOUNT                                                                                 \
    }
#define ENTRY(l)                                                                                             \
    {                                                                                                        \
        .tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = 1, .line = (l) }                                         \
    }
#define RETURN(d, name)                                                                                      \
    {                                                                                                        \
        .tag = NYTP_SUB_RETURN, .sub_return = {(d), 2, 1, STR(name) }                                        \
    }
#define INFO(l, sub)                                                                                         \
    {                                                                                                        \
        .tag = NYTP_SUB_INFO, .sub_info = {.fid = 1, .name = STR(sub), .first_line = (l), .last_line = (l) } \
    }
#define BEGIN                                                                                                \
    {                                                                                                        \
        .tag = NYTP_PID_START, .pid_start = { 7, 1, 0 }                                                      \
    }
#define ATTRIBUTE(k, v)                                                                                      \
    {                                                                                                        \
        .tag = NYTP_ATTRIBUTE, .attribute = { STR(k), STR(v) }                                               \
    }
#define LEAVE_0                                                                                              \
    {                                                                                                        \
        .tag = NYTP_OPTION, .attribute = { STR("leave"), STR("0") }                                          \
    }

static void print_sum(FILE *out, const nytp_chunk *chunk)
{
    fprintf(out, "%.*s by %.*s, %u, %u\n", (int)chunk->sub_callers.called.length,
            chunk->sub_callers.called.bytes, (int)chunk->sub_callers.caller.length,
            chunk->sub_callers.caller.bytes, chunk->sub_callers.line, chunk->sub_callers.count);
}

static void print_tag(FILE *out, const nytp_chunk *chunk)
{
    fputc(chunk->tag, out);
}

/* Fails unless the chunks with those tags that come from the filters are printed so. */
static void is_left(const nytp_chunk *chunks, size_t count, uint32_t tags, chunk_print_fn *print,
                    const char *expected)
{
    const nytp_filter_options options = {.sums = nytp_sum_calls_new()};
    char *text = text_of_filtered(&options, chunks, count, tags, print);
    assert_string_equal(text, expected);
    free(text);
}

/* "callee by caller, line, calls" in a line each */
#define HAS_SUMS(chunks, expected)                                                                           \
    is_left(chunks, COUNT(chunks), nytp_tag_bit(NYTP_SUB_CALLERS), print_sum, expected)

/* f, in line 3, does line 4 and ends; the program goes on in line 9. */
static void statements_say_the_line(void **state)
{
    (void)state;
    const nytp_chunk chunks[] = {
        BEGIN,   INFO(3, "f"), RETURN(2, "main::CORE:open"),  TIME(4), RETURN(1, "f"),
        TIME(5), DISCOUNT,     RETURN(1, "main::CORE:close"), TIME(9)};
    HAS_SUMS(chunks, "f by main::RUNTIME, 9, 1\n"
                     "main::CORE:open by f, 4, 1\n"
                     "main::CORE:close by main::RUNTIME, 9, 1\n");
}

/* g ends f, and then h calls both. */
static void calls_within_one_statement_have_its_line(void **state)
{
    (void)state;
    const nytp_chunk chunks[] = {BEGIN,          INFO(3, "f"),   INFO(4, "g"), RETURN(2, "g"), TIME(4),
                                 DISCOUNT,       RETURN(1, "f"), TIME(3),      DISCOUNT,       TIME(9),
                                 RETURN(1, "g"), TIME(4),        DISCOUNT,     RETURN(1, "f"), TIME(3),
                                 DISCOUNT,       TIME(8)};
    HAS_SUMS(chunks, "f by main::RUNTIME, 9, 1\n"
                     "g by f, 3, 1\n"
                     "g by main::RUNTIME, 3, 1\n"
                     "f by main::RUNTIME, 8, 1\n");
}

static void what_die_leaves_has_no_line(void **state)
{
    (void)state;
    const nytp_chunk chunks[] = {BEGIN,          INFO(3, "f"),   INFO(4, "g"),
                                 RETURN(2, "g"), RETURN(1, "f"), RETURN(1, "main::CORE:warn"),
                                 TIME(4),        TIME(9),        RETURN(1, "main::CORE:warn"),
                                 TIME(10)};
    HAS_SUMS(chunks, "f by main::RUNTIME, 0, 1\n"
                     "g by f, 0, 1\n"
                     "main::CORE:warn by main::RUNTIME, 0, 1\n"
                     "main::CORE:warn by main::RUNTIME, 10, 1\n");
}

/* Stock's profiles say at their end what subs are. A loop that ends after a call has a DISCOUNT, too. */
static void what_a_sub_is_may_be_said_at_the_end(void **state)
{
    (void)state;
    const nytp_chunk chunks[] = {BEGIN,   RETURN(1, "f"), TIME(3), DISCOUNT,     TIME(9),     RETURN(1, "x"),
                                 TIME(8), DISCOUNT,       TIME(7), INFO(3, "f"), INFO(0, "x")};
    HAS_SUMS(chunks, "f by main::RUNTIME, 9, 1\nx by main::RUNTIME, 8, 1\n");
}

static void entries_say_the_line(void **state)
{
    (void)state;
    const nytp_chunk chunks[] = {BEGIN,          INFO(3, "f"),   ENTRY(20), TIME(20), ENTRY(3),
                                 RETURN(2, "f"), RETURN(1, "f"), TIME(4),   TIME(9)};
    HAS_SUMS(chunks, "f by main::RUNTIME, 20, 1\nf by f, 3, 1\n");
}

static void parts_count_as_none_and_have_no_line(void **state)
{
    (void)state;
    const nytp_chunk chunks[] = {BEGIN,    INFO(3, "f"), ATTRIBUTE("parts", "1"), RETURN(1, "f"), TIME(4),
                                 DISCOUNT, TIME(9)};
    HAS_SUMS(chunks, "f by main::RUNTIME, 0, 0\n");
}

static void without_leave_there_are_no_lines(void **state)
{
    (void)state;
    const nytp_chunk chunks[] = {LEAVE_0, BEGIN, INFO(3, "f"), RETURN(1, "f"), TIME(3), DISCOUNT, TIME(9)};
    HAS_SUMS(chunks, "f by main::RUNTIME, 0, 1\n");
}

/* Nothing is held back: no statement will say where calls were made. */
static void without_statements_there_are_no_lines(void **state)
{
    (void)state;
    const nytp_chunk option = {.tag = NYTP_OPTION, .attribute = {STR("stmts"), STR("0")}};
    const nytp_chunk chunks[] = {option, BEGIN, INFO(3, "f"), RETURN(1, "f"), ATTRIBUTE("clock", "8 0 0 0 8"),
                                 RETURN(1, "main::CORE:warn")};
    HAS_SUMS(chunks, "f by main::RUNTIME, 0, 1\nmain::CORE:warn by main::RUNTIME, 0, 1\n");
}

/* A comment may be an annotation of the next chunk. */
static void what_is_held_back_stays_in_order(void **state)
{
    (void)state;
    const nytp_chunk comment = {.tag = NYTP_COMMENT, .comment = {STR(">8")}};
    const nytp_chunk chunks[] = {BEGIN,    INFO(3, "f"), RETURN(1, "f"), TIME(3), comment,
                                 DISCOUNT, TIME(9),      RETURN(1, "f"), TIME(4), ATTRIBUTE("state", "1 0 0"),
                                 DISCOUNT, TIME(8)};
    is_left(chunks, COUNT(chunks), NYTP_ALL_TAGS & ~nytp_tag_bit(NYTP_VERSION), print_tag, "Ps<+#-+<+:-+c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements_say_the_line),
        cmocka_unit_test(calls_within_one_statement_have_its_line),
        cmocka_unit_test(what_die_leaves_has_no_line),
        cmocka_unit_test(what_a_sub_is_may_be_said_at_the_end),
        cmocka_unit_test(entries_say_the_line),
        cmocka_unit_test(parts_count_as_none_and_have_no_line),
        cmocka_unit_test(without_leave_there_are_no_lines),
        cmocka_unit_test(without_statements_there_are_no_lines),
        cmocka_unit_test(what_is_held_back_stays_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
