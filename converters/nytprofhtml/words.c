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

/* Words of the script alone, by key. Those of samples are usually those of time. */
#define WORDS(key, time, memory)                                                                             \
    {                                                                                                        \
        key, time, memory, time                                                                              \
    }
static const struct {
    const char *key, *time, *memory, *samples;
} words_of_script[] = {
    WORDS("self", "self time", "own memory"),
    WORDS("incl", "inclusive time", "inclusive memory"),
    WORDS("hot_line", "hot line", "heavy line"),
    WORDS("self_of_sub", "Time in the sub itself", "What the sub itself allocated"),
    WORDS("incl_of_sub", "Time in the sub and in what it calls; recursive calls count once",
          "What the sub and the subs that it calls allocated; recursive calls count once"),
    WORDS("self_of_label", "Time without that of other subs", "Without what other subs allocated"),
    WORDS("self_of_file", "Time of the statements in it", "What its lines allocated, and its compiled code"),
    WORDS("own_part", "its own time", "its own memory"),
    WORDS("spent", " spent ", " has "),
    WORDS("nothing_in", " without time", " without memory"),
    WORDS("all", "all time", "all memory"),
    WORDS("not_tested", "not tested: that takes four runs of each, and half a percent of the time",
          "not tested: that takes four runs of each, and half a percent of the memory"),
    WORDS("lower_bound",
          "This is a lower bound: compiling outside of BEGIN blocks counts as time of what follows.",
          "This is a lower bound: what is compiled outside of BEGIN blocks counts as memory of the caller."),
    WORDS("no_stacks",
          "There are no stacks: the profile was recorded without calls=1, or --no-flame was given.",
          "There are no stacks: no sub has memory, or --no-flame was given."),
    WORDS("no_calls", "No calls were recorded.", "No sub has memory."),
    WORDS("no_lines", "No statements were recorded.", "No line has memory."),
    WORDS("no_statements", "No statements were recorded.", "No file has memory."),
    WORDS("not_called", "Nothing called it.", "No caller has memory of it."),
    WORDS("calls_nothing", "It called nothing that was recorded.", "Nothing that it called has memory."),
    WORDS("of_labels",
          "Time is that of the outermost calls: a call within another with the same label counts once",
          "Size is that of the outermost calls: a call within another with the same label counts once"),
    WORDS("called_for",
          "The sub of your own code that most of the time is spent for, or the caller if there is none",
          "The sub of your own code that most of the memory is for, or the caller if there is none"),
    WORDS("called_at", "The line with most of the time that makes the calls",
          "The line with most of the memory that makes the calls"),
    {"source_hint",
     "Time is that of the statements of a line, with a bar by the longest; In subs is the inclusive time of "
     "the calls made there.",
     "Size is what a line itself allocated, with its compiled code, with a bar by the largest; In subs is "
     "what subs called there allocated.",
     "Time is that of the samples of a line itself, with a bar by the longest; In subs is that of the "
     "samples of subs called there."},
    WORDS("code_changed", "Code that changed, with its times", "Code that changed, with its memory"),
};

void html_words_write(const nytp_measure *measure, html_json *j)
{
    const html_words *page = html_words_of(measure);
    html_json_open(j, "words", '{');
    html_json_text(j, "amount", page->amount);
    html_json_text(j, "subs", page->subs);
    html_json_text(j, "lines", page->lines);
    for (size_t i = 0; i < G_N_ELEMENTS(words_of_script); i++)
        html_json_text(j, words_of_script[i].key,
                       nytp_measure_is_bytes(measure)     ? words_of_script[i].memory
                       : nytp_measure_is_sampled(measure) ? words_of_script[i].samples
                                                          : words_of_script[i].time);
    html_json_close(j, '}');
}
