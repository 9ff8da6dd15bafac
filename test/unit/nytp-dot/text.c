/* nytp-dot's texts and colours: escapes, numbers, names and links. */
#include "test/unit/profile_support.h"

#include "converters/nytp-dot/draw.h"
#include "converters/nytp-dot/graph.h"

#include <stdlib.h>
#include <string.h>

static void assert_taken(char *got, const char *expected)
{
    assert_string_equal(got, expected);
    g_free(got);
}

static void names_have_no_escapes(void **state)
{
    (void)state;
    assert_taken(dot_label_escaped("plain"), "plain");
    assert_taken(dot_label_escaped("a\\N & b\n\"c\""), "a\\\\N &amp; b\\n\"c\"");
    assert_taken(dot_label_tip_escaped("a\\N & b\n"), "a\\\\\\\\N &amp; b\\n");
    assert_taken(dot_label_escaped(""), "");
}

static void shares_have_one_decimal(void **state)
{
    (void)state;
    assert_string_equal(dot_label_percent(0).text, "0.0 %");
    assert_string_equal(dot_label_percent(1e-9).text, "<0.1 %");
    assert_string_equal(dot_label_percent(0.0004999).text, "<0.1 %");
    assert_string_equal(dot_label_percent(0.0005).text, "0.1 %");
    assert_string_equal(dot_label_percent(0.12345).text, "12.3 %");
    assert_string_equal(dot_label_percent(1).text, "100.0 %");
}

static void counts_have_commas(void **state)
{
    (void)state;
    assert_string_equal(nytp_amount_whole(0).text, "0");
    assert_string_equal(nytp_amount_whole(999).text, "999");
    assert_string_equal(nytp_amount_whole(1000).text, "1,000");
    assert_string_equal(nytp_amount_whole(123456).text, "123,456");
    assert_string_equal(nytp_amount_whole(1234567).text, "1,234,567");
    assert_string_equal(nytp_amount_whole(UINT64_MAX).text, "18,446,744,073,709,551,615");
}

static nytp_profile *profile_with_files(void)
{
    const nytp_chunk chunks[] = {FILE_NAMED(1, "/srv/a b.pl"), FILE_NAMED(2, "")};
    return PROFILE(chunks);
}

static void times_have_three_digits(void **state)
{
    nytp_profile *profile = profile_with_files();
    dot_graph g = {.profile = profile, .measure = nytp_profile_measure(profile)}; /* ticks of 100 ns */
    (void)state;
    assert_string_equal(dot_label_time(&g, 0).text, "0.00 us");
    assert_string_equal(dot_label_time(&g, 1).text, "0.10 us");
    assert_string_equal(dot_label_time(&g, 1234).text, "123 us");
    assert_string_equal(dot_label_time(&g, 12345).text, "1.23 ms");
    assert_string_equal(dot_label_time(&g, 456000).text, "45.6 ms");
    assert_string_equal(dot_label_time(&g, 1e7).text, "1.00 s");
    assert_string_equal(dot_label_time(&g, 1.2345e11).text, "12345 s");
    nytp_profile_free(profile);
}

static void names_are_shortened_to_fit(void **state)
{
    const char *long_name =
        "abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz";
    (void)state;
    assert_taken(dot_label_short("short"), "short");
    assert_taken(dot_label_short(""), "");
    assert_taken(dot_label_short(long_name), "abcdefghijklmnopqrstu\xe2\x80\xa6qrstuvwxyz");
    assert_taken(dot_label_short("__ANON__[/usr/share/perl5/A/B.pm:12]"), "__ANON__[B.pm:12]");
    assert_taken(dot_label_short("__ANON__[(eval 5)[/usr/share/A.pm:1]:2]"), "__ANON__[(eval 5)[A.pm:1]:2]");
    assert_taken(dot_label_short("/usr/bin/prog"), "/usr/bin/prog");
    assert_taken(dot_label_short("a/b[c"), "a/b[c");
    assert_taken(dot_label_short("a[b/"), "a[b/");
    assert_taken(dot_label_short("[("), "[(");
}

static void links_are_percent_encoded(void **state)
{
    static char name[] = "A B::f&g";
    nytp_profile *profile = profile_with_files();
    dot_graph g = {.profile = profile, .measure = nytp_profile_measure(profile)};
    dot_node n = {.name = name, .package_length = 3, .fid = 1, .line = 7};
    (void)state;
    assert_taken(dot_url_of(&g, &n, "x://{file}:{line}"), "x:///srv/a%20b.pl:7");
    assert_taken(dot_url_of(&g, &n, "{sub}?a=1&p={package}"), "A%20B::f%26g?a=1&amp;p=A%20B");
    assert_taken(dot_url_of(&g, &n, "a\\\"<>' b"), "a\\\\%22%3C%3E%27%20b");
    assert_taken(dot_url_of(&g, &n, ""), "");
    n.line = 0;
    assert_null(dot_url_of(&g, &n, "{file}:{line}"));
    assert_taken(dot_url_of(&g, &n, "{file}"), "/srv/a%20b.pl");
    for (uint32_t fid = 2; fid < 4; fid++) { /* a file without a name, and no file */
        n.fid = fid;
        assert_null(dot_url_of(&g, &n, "{file}"));
    }
    nytp_profile_free(profile);
}

static unsigned long part(const char *color, int which)
{
    char digits[3] = {color[1 + 2 * which], color[2 + 2 * which], '\0'};
    return strtoul(digits, NULL, 16);
}

static void colours_go_from_light_to_dark(void **state)
{
    const enum dot_theme themes[] = {DOT_THEME_GRAY, DOT_THEME_COLORBLIND};
    (void)state;
    for (size_t i = 0; i < COUNT(themes); i++) {
        unsigned long last = ULONG_MAX;
        for (int k = 0; k <= 20; k++) {
            dot_theme_colors colors = dot_theme_at(themes[i], k / 20.0);
            unsigned long green = part(colors.fill, 1);
            assert_true(green < last);
            last = green;
        }
        assert_string_equal(dot_theme_at(themes[i], 0).text, "#1a1a1a");
        assert_string_equal(dot_theme_at(themes[i], 1).text, "#ffffff");
    }
    assert_true(part(dot_theme_at(DOT_THEME_HEAT, 0).fill, 2) >
                part(dot_theme_at(DOT_THEME_HEAT, 0).fill, 0)); /* blue */
    assert_true(part(dot_theme_at(DOT_THEME_HEAT, 1).fill, 0) >
                part(dot_theme_at(DOT_THEME_HEAT, 1).fill, 2)); /* red */
    assert_string_equal(dot_theme_at(DOT_THEME_HEAT, 5).fill, dot_theme_at(DOT_THEME_HEAT, 1).fill);
    assert_string_equal(dot_theme_at(DOT_THEME_HEAT, -5).fill, dot_theme_at(DOT_THEME_HEAT, 0).fill);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_no_escapes),      cmocka_unit_test(shares_have_one_decimal),
        cmocka_unit_test(counts_have_commas),         cmocka_unit_test(times_have_three_digits),
        cmocka_unit_test(names_are_shortened_to_fit), cmocka_unit_test(links_are_percent_encoded),
        cmocka_unit_test(colours_go_from_light_to_dark),
    };
    return cmocka_run_group_tests_name("dot-text", tests, NULL, NULL);
}
