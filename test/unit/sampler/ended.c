/* Calls that end or begin while they are read: what perl's memory has then is made of the memory of a perl
 * that waits. Skipped where the system forbids to read other processes. */
#include "test/unit/perl_image.h"
#include "test/unit/support.h"

#include <string.h>

enum { MAX_DEPTH = 1000 };

/* The memory of a perl, and what samples it. */
typedef struct sampled {
    perl_image *image;
    nytp_strings *strings;
    sampler_stacks *stacks;
} sampled;

/* Takes a sample: it must have these subs, the outermost first. */
static void expect(const sampled *s, const char *expected)
{
    sampler_stack stack = {0};
    assert_int_equal(sampler_stacks_take(s->stacks, &stack), SAMPLER_TAKEN);
    g_autoptr(GString) subs = g_string_new(NULL);
    for (size_t n = 0; n < stack.count; n++) {
        size_t length;
        if (stack.frames[n].kind == SAMPLER_FRAME_SUB && stack.frames[n].name != SAMPLER_NO_STRING)
            g_string_append_printf(subs, "%s ", nytp_strings_get(s->strings, stack.frames[n].name, &length));
    }
    assert_string_equal(subs->str, expected);
    sampler_stack_clear(&stack);
}

/* Takes a first sample of a script that waits, and ends it. */
static sampled begin(const char *script, const char *expected)
{
    sampled s = {.image = perl_image_new(script)};
    const char *why = s.image->why_forbidden;
    if (why != NULL) {
        perl_image_free(s.image);
        skip_because(why);
    }
    s.strings = nytp_strings_new();
    s.stacks = sampler_stacks_new(&s.image->interpreter, s.strings, MAX_DEPTH);
    assert_non_null(s.stacks);
    expect(&s, expected);
    perl_image_end(s.image);
    return s;
}

static void end(sampled *s)
{
    sampler_stacks_free(s->stacks);
    nytp_strings_free(s->strings);
    perl_image_free(s->image);
}

static uint64_t *word_at(const sampled *s, uint64_t address)
{
    return (uint64_t *)(void *)perl_image_at(s->image, address);
}

static sampler_stackinfo innermost_stack(const sampled *s)
{
    const sampler_interpreter *i = &s->image->interpreter;
    sampler_stackinfo st;
    assert_true(sampler_stackinfo_read(i, sampler_memory_pointer(&i->memory, i->at.curstackinfo), &st));
    return st;
}

/* Does what perl does when the innermost sub ends, before it goes on with the statement that called. */
static void end_innermost_sub(const sampled *s)
{
    const sampler_layout *l = &s->image->interpreter.layout;
    const sampler_stackinfo st = innermost_stack(s);
    for (int32_t n = st.at; n >= 0; n--) {
        const uint64_t context = st.contexts + (uint64_t)n * l->cx_size;
        uint64_t *cv = word_at(s, context + l->cx_sub_cv);
        if ((*perl_image_at(s->image, context + l->cx_kind) & l->cx_kind_mask) == l->cx_kind_sub &&
            *cv != 0) {
            *cv = 0;
            return;
        }
    }
    fail_msg("there is no sub");
}

/* Leaves the innermost context, whose sub has ended. */
static void leave_context(const sampled *s)
{
    const sampler_interpreter *i = &s->image->interpreter;
    const uint64_t address = sampler_memory_pointer(&i->memory, i->at.curstackinfo);
    --*(int32_t *)(void *)perl_image_at(s->image, address + i->layout.si_cxix);
}

static const char nested[] = "sub outer { inner() }\n"
                             "sub inner { syswrite STDOUT, 'x'; sleep 1000 }\n"
                             "outer()";

/* The statement that runs is read first. Where its sub has ended when the calls are read, it is among them
 * nevertheless, if its callers were seen before. */
static void subs_that_just_ended_are_shown(void **state)
{
    sampled s = begin(nested, "main::outer main::inner ");
    (void)state;
    end_innermost_sub(&s);
    expect(&s, "main::outer main::inner ");
    leave_context(&s);
    expect(&s, "main::outer main::inner ");
    sampled unknown = s;
    unknown.stacks = sampler_stacks_new(&s.image->interpreter, s.strings, MAX_DEPTH);
    expect(&unknown, "main::outer ");
    sampler_stacks_free(unknown.stacks);
    end(&s);
}

/* In a loop, the program may have come back to the statement that was read first, and not its sub is ending
 * then, but one around it. */
static void the_sub_that_is_ending_may_be_an_outer_one(void **state)
{
    sampled s = begin(nested, "main::outer main::inner ");
    (void)state;
    end_innermost_sub(&s);
    leave_context(&s);
    expect(&s, "main::outer main::inner "); /* the caller of outer is seen here */
    end_innermost_sub(&s);
    expect(&s, "main::outer main::inner ");
    end(&s);
}

/* Perl calls a destructor in an eval, on another stack. That eval's context is in use before perl has stored
 * in it which statement the eval is of: until then it has that of an earlier call. No call has ended
 * therefore. */
static void an_eval_that_is_not_filled_in_ends_no_call(void **state)
{
    sampled s = begin("sub first { dies() }\n"
                      "sub dies { my $object = bless []; return }\n"
                      "sub DESTROY { syswrite STDOUT, 'x'; sleep 1000 }\n"
                      "first()",
                      "main::first main::dies main::DESTROY ");
    const sampler_interpreter *i = &s.image->interpreter;
    const sampler_layout *l = &i->layout;
    const sampler_stackinfo inner = innermost_stack(&s);
    sampler_stackinfo outer;
    (void)state;
    assert_true(sampler_stackinfo_read(i, inner.previous, &outer));
    assert_int_equal(inner.at, 1); /* the destructor, in the eval */
    const uint64_t of_first = outer.contexts + (uint64_t)(outer.at - 1) * l->cx_size;
    const uint64_t in_main = *word_at(&s, of_first + l->cx_oldcop);
    uint64_t *of_eval = word_at(&s, inner.contexts + l->cx_oldcop);
    *word_at(&s, i->at.curcop) = *of_eval;
    *of_eval = in_main;
    *word_at(&s, inner.contexts + l->cx_size + l->cx_oldcop) = in_main; /* of an earlier call, too */
    *word_at(&s, inner.contexts + l->cx_size + l->cx_sub_cv) = 0;
    expect(&s, "main::first main::dies ");
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subs_that_just_ended_are_shown),
        cmocka_unit_test(the_sub_that_is_ending_may_be_an_outer_one),
        cmocka_unit_test(an_eval_that_is_not_filled_in_ends_no_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
