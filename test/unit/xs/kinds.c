/* Kinds of memory, by the functions and objects that ask for it. */
#include "test/unit/support.h"

#include "heap/kinds.h"

#include <string.h>

static void assert_kind(const char *function, const char *expected)
{
    prof_kind kind;
    const bool known = prof_kind_of_function(function, &kind);
    assert_string_equal(known ? prof_kind_names[kind] : "its caller", expected);
}

static void functions_have_kinds(void **state)
{
    static const char *const rows[][2] = {
        {"Perl_more_sv", "value heads"},
        {"Perl_more_bodies", "value bodies"},
        {"Perl_sv_grow", "strings"},
        {"Perl_sv_setsv_flags", "strings"},
        {"Perl_newSVpvn", "strings"},
        {"Perl_av_extend_guts", "arrays"},
        {"Perl_av_store", "arrays"},
        {"Perl_hv_common", "hashes"},
        {"Perl_unshare_hek", "hashes"},
        {"Perl_newGP", "symbols"},
        {"Perl_gv_init_pvn", "symbols"},
        {"Perl_mro_get_linear_isa", "symbols"},
        {"Perl_Slab_Alloc", "code"},
        {"Perl_newSVOP", "code"},
        {"Perl_newSTATEOP", "code"},
        {"Perl_pad_new", "code"},
        {"Perl_newPADNAMEpvn", "code"},
        {"Perl_rpeep", "code"},
        {"Perl_yyparse", "code"},
        {"Perl_newATTRSUB_x", "code"},
        {"Perl_lex_start", "code"},
        {"Perl_re_op_compile", "patterns"},
        {"Perl_regexec_flags", "patterns"},
        {"Perl__invlist_union_maybe_complement_2nd", "patterns"},
        {"Perl_stack_grow", "perl's stacks"},
        {"Perl_cxinc", "perl's stacks"},
        {"Perl_tmps_grow_p", "perl's stacks"},
        {"Perl_new_stackinfo", "perl's stacks"},
        {"PerlIO_allocate", "files"},
        {"PerlIOBuf_get_base", "files"},
        {"Perl_sv_magicext", "magic"},
        {"Perl_rvpv_dup", "other"},
        {"Perl_sv_dup_inc", "arrays"},
        {"Perl_hek_dup", "hashes"},
        {"Perl_cx_dup", "perl's stacks"},
        {"Perl_safesysmalloc", "its caller"},
        {"Perl_savepvn", "its caller"},
        {"Perl_savesharedpv", "its caller"},
        {"Perl_my_stat_flags", "other"},
        {"boot_DynaLoader", "other"},
        {"main", "other"},
        {"", "other"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_kind(rows[i][0], rows[i][1]);
}

static void assert_object(const char *path, const char *expected)
{
    char name[24];
    const bool known = prof_kind_of_object(path, name, sizeof name);
    assert_string_equal(known ? name : "its caller", expected);
}

static void objects_have_names(void **state)
{
    (void)state;
    assert_object("/usr/lib/x86_64-linux-gnu/libcrypto.so.3", "libcrypto");
    assert_object("/usr/lib/x86_64-linux-gnu/perl-base/auto/List/Util/Util.so", "List::Util");
    assert_object("/a/auto/b/auto/EV/EV.so", "EV");
    assert_object("/a/auto/Some/Other.so", "Other");
    assert_object("libxml2.so.2", "libxml2");
    assert_object("/lib/x86_64-linux-gnu/libc.so.6", "its caller");
    assert_object("/lib/libstdc++.so.6", "its caller");
    assert_object("", "its caller");
    assert_object("/auto/", "its caller");
    assert_object("/tmp/a\nb=c.so", "a?b=c");
    assert_object("/x/abcdefghijklmnopqrstuvwxyz0123456789.so", "abcdefghijklmnopqrstuvw");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_have_kinds),
        cmocka_unit_test(objects_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
