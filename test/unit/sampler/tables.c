/* The tables that come with the sources, as the build expands them: of each series of perl one, and only one, for each kind and
 * processor. */
#include "sampler/perl/layouts.h"

#include "test/unit/perl_image.h"
#include "test/unit/support.h"

#define COMMON "HAS_TIMES PERLIO_LAYERS USE_64_BIT_ALL USE_64_BIT_INT USE_LARGE_FILES USE_LOCALE USE_PERLIO"
#define THREADS                                                                                              \
    "HAS_TIMES MULTIPLICITY PERLIO_LAYERS PERL_IMPLICIT_CONTEXT USE_64_BIT_INT USE_ITHREADS "                \
    "USE_REENTRANT_API"

typedef struct found {
    int count;
    sampler_layout last;
} found;

/* That of the build's own perl names no releases. */
static bool take(void *context, const sampler_layout *layout)
{
    found *f = context;
    if (layout->releases[0] != '\0')
        *f = (found){f->count + 1, *layout};
    return false;
}

static int tables_for(const char *version, const char *options, const char *machine, sampler_layout *layout)
{
    sampler_identity identity = {0};
    snprintf(identity.version, sizeof identity.version, "%s", version);
    snprintf(identity.options, sizeof identity.options, "%s", options);
    snprintf(identity.machine, sizeof identity.machine, "%s", machine);
    found f = {0};
    sampler_layouts_try(perl_image_offsets(), &identity, take, &f);
    *layout = f.last;
    return f.count;
}

static void each_series_has_one_table_of_each_kind(void **state)
{
    static const char *const machines[] = {"x86_64", "aarch64"};
    char version[24];
    sampler_layout layout;
    (void)state;
    for (int minor = 26; minor <= 42; minor += 2)
        for (size_t m = 0; m < COUNT(machines); m++) {
            snprintf(version, sizeof version, "5.%d.3", minor);
            assert_int_equal(tables_for(version, COMMON, machines[m], &layout), 1);
            assert_true(layout.multiplicity == 0 && layout.interp_sv_count == SAMPLER_ABSENT);
            assert_int_equal(tables_for(version, THREADS, machines[m], &layout), 1);
            assert_true(layout.multiplicity == 1 && layout.interp_sv_count != SAMPLER_ABSENT);
            assert_true(layout.interp_size != SAMPLER_ABSENT && layout.interp_stack_sp != SAMPLER_ABSENT);
            snprintf(version, sizeof version, "5.%d.99", minor);
            assert_int_equal(tables_for(version, COMMON, machines[m], &layout), 1);
            assert_false(sampler_layout_has_release(&layout, version));
            assert_int_equal(tables_for(version, COMMON " USE_LONG_DOUBLE", machines[m], &layout), 0);
        }
    assert_int_equal(tables_for("5.36.0", COMMON, "riscv64", &layout), 0);
    assert_int_equal(tables_for("5.37.1", COMMON, "x86_64", &layout), 0);
    assert_int_equal(tables_for("5.24.0", COMMON, "x86_64", &layout), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_series_has_one_table_of_each_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
