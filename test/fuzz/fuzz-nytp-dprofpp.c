/* A profile through nytp-dprofpp. The last three bytes choose the options. */
#include "converters/nytp-dprofpp/view.h"
#include "test/fuzz/fuzz.h"

#include <glib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned bits = size > 1 ? data[size - 1] | (unsigned)data[size - 2] << 8 : 0;
    dprofpp_options options = {.form = (enum dprofpp_form)(bits % 5),
                               .sort = (enum dprofpp_sort)(bits / 5 % 6)};
    options.reverse = bits & 256;
    options.inclusive = bits & 512;
    options.root = bits & 1024 ? "Shop::row" : NULL;
    options.callers = bits & 2048 && options.form % 4 == 0 ? "Shop::deep" : NULL;
    options.group = bits & 4096 ? g_regex_new("e", G_REGEX_RAW, 0, NULL) : NULL;
    options.filter = bits & 8192 ? g_regex_new("main", G_REGEX_RAW, 0, NULL) : NULL;
    options.pull = options.unicode = options.color = bits & 16384;
    options.max_depth = bits >> 15;
    unsigned more = size > 2 ? data[size - 3] : 0;
    const nytp_filter_options filters = fuzz_filters(data, size);
    options.show_root = more & 32;
    options.min.percent = more & 64 ? 1 : 0;
    if (options.form == DPROFPP_TABLE && options.group == NULL && !options.inclusive)
        options.labels = more % 16 % (NYTP_LABEL_SPAN + 1);
    else if (options.form == DPROFPP_TABLE && options.root == NULL)
        must(dprofpp_columns_parse(&options.columns, "p50,p95,p99,max,first,work,asleep,queued") == NULL);
    char *why = NULL;
    dprofpp_calls *d = dprofpp_calls_new(&options);
    fuzz_read_filtered(data, size, &filters, nytp_events_tags(d->events), dprofpp_calls_read, d);
    dprofpp_calls_end_profile(d);
    options.unit = nytp_measure_is_bytes(&d->measure) ? (enum nytp_unit_word)(NYTP_UNIT_B + bits / 30 % 4)
                                                      : (enum nytp_unit_word)(bits / 30 % 5);
    FILE *out = fuzz_results();
    must(dprofpp_write(d, out, &why) || why != NULL);
    fclose(out);
    g_free(why);
    dprofpp_calls_free(d);
    g_clear_pointer(&options.group, g_regex_unref);
    g_clear_pointer(&options.filter, g_regex_unref);
    return 0;
}
