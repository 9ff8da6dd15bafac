#include "overview.h"

#define OF_TIME                                                                                              \
    .subs = "Subs by self time", .lines = "Hottest lines", .amount = "Time", .less = "more took less time",  \
    .pictures = "The flame graph, the time line, the modules and the source show one run of each side, "     \
                "whose time is nearest to the median",                                                       \
    .medians = "Times are medians"

const html_words *html_words_of(const nytp_measure *measure)
{
    static const html_words time = {OF_TIME, .calls = "Calls", .runs = "Runs"};
    static const html_words samples = {OF_TIME, .calls = "Samples", .runs = "Samples"};
    static const html_words memory = {
        .subs = "Subs by own memory",
        .lines = "Lines with most memory",
        .amount = "Size",
        .calls = "Blocks",
        .runs = "Blocks",
        .less = "more have less memory",
        .pictures = "The flame graph, the modules and the source show one run of each side, whose memory is "
                    "nearest to the median",
        .medians = "Numbers are medians"};
    return nytp_measure_is_bytes(measure) ? &memory : nytp_measure_is_sampled(measure) ? &samples : &time;
}
