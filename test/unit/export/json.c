/* Numbers of JSON, compared with what printf() writes. */
#include "export/json.h"
#include "test/unit/support.h"

#include <inttypes.h>
#include <stdlib.h>

static void numbers_have_their_decimals(void **state)
{
    static const uint64_t values[] = {0,          1,          9,         10,        99,
                                      999,        1000,       1001,      999999999, 1000000000,
                                      1000000001, UINT32_MAX, INT64_MAX, UINT64_MAX};
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++)
        for (int decimals = 0; decimals <= 9; decimals++) {
            char *written, expected[64];
            size_t size;
            uint64_t unit = 1;
            for (int d = 0; d < decimals; d++)
                unit *= 10;
            FILE *out = open_memstream(&written, &size);
            nytp_json_decimal(out, values[i], (unsigned)decimals);
            fclose(out);
            if (decimals == 0)
                snprintf(expected, sizeof expected, "%" PRIu64, values[i]);
            else
                snprintf(expected, sizeof expected, "%" PRIu64 ".%0*" PRIu64, values[i] / unit, decimals,
                         values[i] % unit);
            assert_string_equal(written, expected);
            free(written);
        }
}

static void strings_have_escapes(void **state)
{
    const struct {
        nytp_str text;
        const char *written;
    } cases[] = {
        {STR(""), "\"\""},
        {STR("a\"\\\n\t\x1b\0z"), "\"a\\\"\\\\\\n\\t\\u001b\\u0000z\""},
        {STR("\x7f\xc2\x9b\xc3\xa4"), "\"\\u007f\\u009b\xc3\xa4\""},
        {STR("\xe2\x80\xae\xe2\x82\xac\xf0\x9f\x98\x80"), "\"\\u202e\xe2\x82\xac\xf0\x9f\x98\x80\""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *written;
        size_t size;
        FILE *out = open_memstream(&written, &size);
        nytp_json_string(out, cases[i].text);
        fclose(out);
        assert_string_equal(written, cases[i].written);
        free(written);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_their_decimals),
        cmocka_unit_test(strings_have_escapes),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
