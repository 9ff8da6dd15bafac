/* The reader of stacks over the memory of a perl that waits, recorded page by page: it finds the stack there,
 * and survives whatever else may be in that memory. Skipped where the system forbids to read other processes.
 */
#include "sampler/sample/values.h"

#include "test/unit/perl_image.h"
#include "test/unit/support.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

enum { PAGE = 4096, MAX_DEPTH = 1000 };

static const char script[] =
    "sub rec { my ($n) = @_; return $n ? rec($n - 1) : leaf('text', 42, [1], bless {}) }"
    "sub leaf { my @s = sort { inner($a, $b) } 2, 1; }"
    "sub inner { my $c = sub { eval \"sub { eval { waits() } }->()\" }; $c->(@_) }"
    "sub waits { syswrite STDOUT, 'x'; pause(1000) }"
    "sub pause { sleep $_[0] }"
    "rec(5)";

static void use_value(void *context, const char *text, size_t length, bool is_string)
{
    (void)is_string;
    g_string_append_len(context, text, (gssize)length);
    g_string_append_c(context, ' ');
}

/* The next stack, from the outermost sub on, with the arguments of all; NULL: there is none to be read. */
static char *take_next(sampler_stacks *stacks, const sampler_interpreter *interpreter,
                       const nytp_strings *strings)
{
    sampler_stack stack = {0};
    char *text = NULL;
    if (sampler_stacks_take(stacks, &stack) == SAMPLER_TAKEN) {
        GString *all = g_string_new(NULL);
        for (size_t n = 0; n < stack.count; n++) {
            size_t length;
            if (stack.frames[n].name != SAMPLER_NO_STRING)
                g_string_append_printf(all, "%s ", nytp_strings_get(strings, stack.frames[n].name, &length));
            if (stack.frames[n].kind == SAMPLER_FRAME_SUB)
                sampler_values_of(interpreter, &stack.frames[n], use_value, all);
        }
        text = g_string_free(all, FALSE);
    }
    sampler_stack_clear(&stack);
    return text;
}

/* One stack, without knowledge of earlier ones. */
static char *take(const sampler_interpreter *interpreter)
{
    nytp_strings *strings = nytp_strings_new();
    sampler_stacks *stacks = sampler_stacks_new(interpreter, strings, MAX_DEPTH);
    char *text = stacks != NULL ? take_next(stacks, interpreter, strings) : NULL;
    sampler_stacks_free(stacks);
    nytp_strings_free(strings);
    return text;
}

static int set_up(void **state)
{
    perl_image *image = perl_image_new(script);
    *state = image;
    if (image->why_forbidden != NULL)
        return 0;
    g_free(take(&image->interpreter)); /* reads all pages that it needs */
    perl_image_end(image);
    return 0;
}

static int tear_down(void **state)
{
    perl_image_free(*state);
    return 0;
}

static void skip_without_image(const perl_image *f)
{
    if (f->why_forbidden != NULL)
        skip_because(f->why_forbidden);
}

/* ---- tests ---- */

static void the_image_has_the_stack(void **state)
{
    const perl_image *f = *state;
    skip_without_image(f);
    char *text = take(&f->interpreter);
    assert_non_null(text);
    assert_non_null(strstr(text, "main::rec 5 main::rec 4 "));
    assert_non_null(strstr(text, "main::leaf text 42 ARRAY(0x"));
    assert_non_null(strstr(text, "main::CORE:sort main::inner "));
    assert_non_null(strstr(text, "main::waits main::pause 1000 main::CORE:sleep "));
    g_free(text);
}

static uint32_t pick_below(uint64_t *seed, uint32_t limit)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*seed >> 33) % limit);
}

/* Pointers into nowhere or in circles, huge lengths and depths: all that a running perl may show for a
 * moment. */
static void flipped_bytes_do_no_harm(void **state)
{
    enum { ROUNDS = 3000, MOST_FLIPS = 40 };
    const perl_image *f = *state;
    uint64_t seed = 1;
    int torn = 0;
    skip_without_image(f);
    for (int round = 0; round < ROUNDS; round++) {
        unsigned char *places[MOST_FLIPS], before[MOST_FLIPS];
        int flips = 1 + (int)pick_below(&seed, MOST_FLIPS);
        for (int n = 0; n < flips; n++) {
            places[n] = (unsigned char *)g_ptr_array_index(f->in_order, pick_below(&seed, f->in_order->len)) +
                        pick_below(&seed, PAGE);
            before[n] = *places[n];
            *places[n] = (unsigned char)pick_below(&seed, 256);
        }
        char *text = take(&f->interpreter);
        torn += text == NULL;
        g_free(text);
        while (flips-- > 0)
            *places[flips] = before[flips];
    }
    assert_true(torn < ROUNDS); /* most bytes do not matter */
    assert_true(torn > 0);      /* but some do */
}

/* Each pointer that is read, one after another, leads to another one that is read: circles among them. */
static void exchanged_pointers_do_no_harm(void **state)
{
    enum { ROUNDS = 3000 };
    const perl_image *f = *state;
    uint64_t seed = 2;
    skip_without_image(f);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t *at[2];
        for (int n = 0; n < 2; n++) {
            unsigned char *page = g_ptr_array_index(f->in_order, pick_below(&seed, f->in_order->len));
            at[n] = (uint64_t *)(void *)(page + (size_t)pick_below(&seed, PAGE / 8) * 8);
        }
        uint64_t first = *at[0];
        *at[0] = *at[1];
        g_free(take(&f->interpreter));
        *at[0] = first;
    }
    the_image_has_the_stack(state);
}

/* A depth is what the process has: any number. */
static void a_depth_that_cannot_be_has_no_arguments(void **state)
{
    const perl_image *f = *state;
    skip_without_image(f);
    nytp_strings *strings = nytp_strings_new();
    sampler_stacks *stacks = sampler_stacks_new(&f->interpreter, strings, MAX_DEPTH);
    sampler_stack stack = {0};
    assert_int_equal(sampler_stacks_take(stacks, &stack), SAMPLER_TAKEN);
    assert_int_equal(stack.frames[0].kind, SAMPLER_FRAME_SUB);
    GString *text = g_string_new(NULL);
    assert_int_equal(sampler_values_of(&f->interpreter, &stack.frames[0], use_value, text), 1);
    static const int32_t depths[] = {INT32_MAX, INT32_MIN, -1, 1000};
    for (size_t n = 0; n < COUNT(depths); n++) {
        stack.frames[0].depth = depths[n];
        assert_int_equal(sampler_values_of(&f->interpreter, &stack.frames[0], use_value, text), -1);
    }
    g_string_free(text, TRUE);
    sampler_stack_clear(&stack);
    sampler_stacks_free(stacks);
    nytp_strings_free(strings);
}

/* ---- statements ---- */

/* While perl compiles, its statement is one of the compiler, and perl frees the name of the file at its end.
 */
static void a_file_that_was_freed_has_no_name(void **state)
{
    const perl_image *f = *state;
    skip_without_image(f);
    const sampler_interpreter *i = &f->interpreter;
    const sampler_layout *l = &i->layout;
    sampler_optypes types;
    assert_true(sampler_optypes_read(&types, i));
    nytp_strings *strings = nytp_strings_new();
    sampler_statements *statements = sampler_statements_new(i, i, &types, strings);
    const uint64_t address = sampler_memory_pointer(&i->memory, i->at.curcop);
    unsigned char cop[SAMPLER_COP_ROOM];
    assert_true(sampler_memory_read(&i->memory, address, cop, l->cop_size));
    memset(cop + l->op_type, 0, sizeof(uint16_t));

    const sampler_statement *compiled = sampler_statements_at(statements, address, cop);
    assert_non_null(compiled);
    assert_true(compiled->file != SAMPLER_NO_STRING);
    memset(perl_image_at(f, address + sampler_layout_file(l)), 0, sizeof(uint64_t));
    assert_null(sampler_statements_at(statements, address, cop));
    sampler_statements_free(statements);
    sampler_optypes_clear(&types);
    nytp_strings_free(strings);
}

/* ---- contexts ---- */

enum { SUB = 1, BLOCK = 2 };
static const size_t context_size = 24;

/* A context: its kind at 0, the statement that called at 8, the sub at 16. */
static void set_context(unsigned char *bytes, size_t n, unsigned char kind, uint64_t cv)
{
    unsigned char *context = bytes + n * context_size;
    memset(context, 0, context_size);
    context[0] = kind;
    context[8] = (unsigned char)(n + 1);
    memcpy(context + 16, &cv, sizeof cv);
}

static void subs_say_which_contexts_were_in_use(void **state)
{
    const sampler_layout l = {.cx_size = (uint32_t)context_size,
                              .cx_kind_mask = 15,
                              .cx_kind_sub = SUB,
                              .cx_kind_format = 14,
                              .cx_kind_eval = 15,
                              .cx_oldcop = 8,
                              .cx_sub_cv = 16,
                              .cx_sub_olddepth = 8};
    unsigned char *bytes =
        g_malloc(4 * context_size); /* of the size, so that a sanitizer sees what is beside it */
    const sampler_contexts c = {&l, bytes, 1000, 1004};
    uint64_t ended[2];
    (void)state;
    for (size_t n = 0; n < 4; n++)
        set_context(bytes, n, BLOCK, 0);
    sampler_extent extent = sampler_contexts_extent(&c, 1002);
    assert_int_equal(extent.sub, 999); /* none is a sub */
    assert_int_equal(extent.last, 1002);
    assert_int_equal(sampler_contexts_count_calls(&c, extent.sub + 1, extent.last), 0);
    set_context(bytes, 0, SUB, 1);
    set_context(bytes, 2, SUB, 2); /* was still in use, and is not any more */
    extent = sampler_contexts_extent(&c, 1001);
    assert_int_equal(extent.sub, 1002);
    assert_int_equal(extent.last, 1002);
    set_context(bytes, 2, SUB, 0); /* had ended, or had not begun */
    extent = sampler_contexts_extent(&c, 1003);
    assert_int_equal(extent.sub, 1000);
    assert_int_equal(extent.last, 1001);
    assert_int_equal(sampler_contexts_ended(&c, extent.last, ended, COUNT(ended)), 1);
    assert_int_equal(ended[0], 3);
    assert_int_equal(sampler_contexts_ended(&c, 1003, ended, COUNT(ended)), 0);
    set_context(bytes, 0, SUB, 0);
    set_context(bytes, 1, SUB, 0);
    assert_int_equal(sampler_contexts_ended(&c, 999, ended, COUNT(ended)), 2); /* of three */
    assert_int_equal(ended[1], 2);
    extent = sampler_contexts_extent(&c, 1003);
    assert_int_equal(extent.sub, 999);
    assert_int_equal(extent.last, 999);
    g_free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subs_say_which_contexts_were_in_use),
        cmocka_unit_test(the_image_has_the_stack),
        cmocka_unit_test(flipped_bytes_do_no_harm),
        cmocka_unit_test(exchanged_pointers_do_no_harm),
        cmocka_unit_test(a_depth_that_cannot_be_has_no_arguments),
        cmocka_unit_test(a_file_that_was_freed_has_no_name),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
