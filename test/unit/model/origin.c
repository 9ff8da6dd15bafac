/* Whose code a file is: by the directories that the profile names, and by its path where there are none. */
#include "model/origin.h"
#include "test/unit/support.h"

#include <string.h>

typedef struct expected {
    const char *path;
    enum nytp_origin origin;
} expected;

static void add_attribute(nytp_profile *p, const char *key, const char *value)
{
    const nytp_chunk chunk = {.tag = NYTP_ATTRIBUTE,
                              .attribute = {{key, strlen(key), false}, {value, strlen(value), false}}};
    nytp_profile_add(p, &chunk);
}

static void check(const nytp_profile *p, bool known, const expected *cases, size_t count)
{
    nytp_origins *origins = nytp_origins_new(p);
    assert_int_equal(nytp_origins_known(origins), known);
    for (size_t i = 0; i < count; i++) {
        nytp_str path = {cases[i].path, strlen(cases[i].path), false};
        if (nytp_origin_of(origins, path) != cases[i].origin)
            print_error("%s\n", cases[i].path);
        assert_int_equal(nytp_origin_of(origins, path), cases[i].origin);
    }
    nytp_origins_free(origins);
}

static void paths_decide_without_directories(void **state)
{
    static const expected cases[] = {
        {"/home/me/app/lib/App.pm", NYTP_OWN},
        {"/usr/bin/prog", NYTP_OWN},
        {"/usr/share/perl/5.36/strict.pm", NYTP_CORE},
        {"/usr/lib/x86_64-linux-gnu/perl/5.36.0/Config.pm", NYTP_CORE},
        {"/usr/lib/x86_64-linux-gnu/perl-base/strict.pm", NYTP_CORE},
        {"/opt/perl/lib/5.36.0/strict.pm", NYTP_CORE},
        {"/opt/perl/lib/site_perl/5.36.0/Moose.pm", NYTP_INSTALLED},
        {"/usr/share/perl5/Moose.pm", NYTP_INSTALLED},
        {"/usr/lib/x86_64-linux-gnu/perl5/5.36/Moose.pm", NYTP_INSTALLED},
        {"/home/me/perl5/lib/perl5/Moose.pm", NYTP_INSTALLED},
        {"/srv/extlib/lib/perl5/Moose.pm", NYTP_INSTALLED},
        {"", NYTP_OWN},
    };
    (void)state;
    nytp_profile *p = nytp_profile_new();
    check(p, false, cases, COUNT(cases));
    nytp_profile_free(p);
}

/* As Fedora's perl has them: /usr/share/perl5 is perl's own, and vendors' modules are below it. */
static void directories_decide(void **state)
{
    static const expected cases[] = {
        {"/usr/share/perl5/strict.pm", NYTP_CORE},
        {"/usr/share/perl5/vendor_perl/Moose.pm", NYTP_INSTALLED},
        {"/usr/local/share/perl5/5.36/Moose.pm", NYTP_INSTALLED},
        {"/odd:place\n/core/strict.pm", NYTP_CORE},
        {"/srv/5.36.0/Mine.pm", NYTP_OWN},                    /* in no directory */
        {"/srv/share/perl/5.36.0/Theirs.pm", NYTP_INSTALLED}, /* PREFIX=/srv */
        {"/srv/app/lib/Mine.pm", NYTP_OWN},
        {"/srv/app/local/lib/perl5/Theirs.pm", NYTP_INSTALLED},
        {"/srv/extlib/lib/perl5/x86_64-linux/Theirs.pm", NYTP_INSTALLED},
        {"/usr/lib/x86_64-linux-gnu/perl-base/strict.pm", NYTP_CORE},
        {"/usr/share/perl5x/Mine.pm", NYTP_OWN},
        {"/usr/share/perl5", NYTP_OWN},
        {"(eval 2)[(eval 1)[/usr/share/perl5/strict.pm:3]:1]", NYTP_CORE},
        {"(eval 2)[/srv/app/lib/Mine.pm:3]", NYTP_OWN},
    };
    (void)state;
    nytp_profile *p = nytp_profile_new();
    add_attribute(p, "privlib", "/usr/share/perl5/");
    add_attribute(p, "archlib", "/usr/lib64/perl5:/odd\\:place\\n/core");
    add_attribute(p, "sitelib", "/usr/local/share/perl5/5.36");
    add_attribute(p, "vendorlib", "/usr/share/perl5/vendor_perl");
    add_attribute(p, "inc",
                  "/srv/app/lib:/srv/app/local/lib/perl5::/usr/share/perl5:/srv/extlib/lib/perl5:"
                  "/usr/lib/x86_64-linux-gnu/perl-base:/srv/share/perl/5.36.0");
    check(p, true, cases, COUNT(cases));
    nytp_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_decide_without_directories),
                                       cmocka_unit_test(directories_decide)};
    return cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
