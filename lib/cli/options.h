/* The command line. A program lists its options once, in a table; parsing, --help, the messages for wrong
 * usage and the shells' completions come from it.
 *
 *     int main(int argc, char **argv)
 *     {
 *         lines_options options = {.unit = NYTP_UNIT_S};
 *         nytp_common_options common = {.output = "lines.txt"};
 *         const nytp_option table[] = {
 *             {.group = "What is shown:"},
 *             {0, "min", "LEAST", "leave out what took less", .min = &options.min},
 *             {0, "depth", "N", "show N levels", .count = &options.depth, .least = 1},
 *             {0, "unit", "UNIT", "unit of times", .word = &options.unit, .words = nytp_time_units},
 *             {'r', "reverse", NULL, "smallest first", .flag = &options.reverse},
 *             {0, "backwards", .same_as = "reverse"},
 *             NYTP_COMMON_ROWS(common, "write there (default lines.txt, - for standard output)"),
 *             NYTP_TABLE_END,
 *         };
 *         static const nytp_program program = {
 *             .about = "Writes the lines of Perl profiles that took the longest.\n",
 *             .examples = "  nytp-lines --min=1 -o - | less\n",
 *             .operands = NYTP_PROFILES,
 *         };
 *         nytp_operands files;
 *         nytp_start("nytp-lines", argv);
 *         int status = nytp_options_parse(&program, table, argc, argv, &files);
 *         if (status >= 0)
 *             return status;
 *         status = NYTP_REFUSE({options.reverse, "depth", "with --reverse"});
 *         ...
 *
 * Options may follow operands, and "--" ends them. Long names can be shortened while no other option begins
 * the same; an old name and its new one count as one. All programs have --help, --version and, for the
 * completions of bash and zsh, --help-values.
 */
#pragma once

#include "nytprof.h"

#include "cli/unit.h"
#include "events/filters.h"
#include "memory/view.h"
#include "model/whole.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct nytp_option nytp_option;

/* One row: an option, which has a letter, a name or both; another name of an option; or a heading. */
struct nytp_option {
    char letter;          /* 0: none */
    const char *name;     /* the long one, without dashes; NULL if none */
    const char *argument; /* what --help calls it; NULL: the option takes none */
    /* For --help, which adds the words or the default number. NULL: the row shares the next one's line. */
    const char *help;

    /* What the option sets: at most one of them. An option that sets nothing is accepted without effect. */
    bool *flag;        /* becomes true */
    bool *clear;       /* becomes false */
    const char **text; /* becomes the argument */
    const char **path; /* the same, and it must not be empty */
    double *percent;   /* 0 to 100 */
    nytp_least *min;   /* 1%, or 10us; with `value` a number alone is not a percentage */
    uint32_t *count;   /* a whole number, least or more; up to most, if that is not 0 */
    int32_t *whole;    /* the same; any whole number if both are 0 */
    unsigned *word;    /* an enum: becomes the index of the argument in words; without an argument, value */
    bool is_operand;   /* the argument takes the place of FILE (-f of stock's programs) */
    /* Does anything else. Returns NULL, or what is wrong with the argument, such as "expected a date"; that
     * is passed to free(). */
    char *(*call)(const nytp_option *option, const char *argument);

    int32_t least, most;
    const char *const *words; /* ended by NULL */
    unsigned value;
    bool optional;       /* the argument is given as --name=ARGUMENT or not at all; after a letter, never */
    void *context;       /* for call */
    bool lists_rest;     /* prints the rows after it, which --help does not */
    bool without_effect; /* it is accepted only, and a warning says so by its name */

    const char *same_as; /* the row makes name a hidden alias of this long name */
    const char *group;   /* the row is this heading of --help */
    bool hides;          /* the rows after it are neither in --help nor in completions */
};

#define NYTP_ROW(...)                                                                                        \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define NYTP_TABLE_END   NYTP_ROW(0)
#define NYTP_HIDDEN_ROWS NYTP_ROW(.group = "", .hides = true)

/* Which profiles a program takes. */
enum nytp_takes {
    NYTP_TAKES_TIME,    /* not those of memory */
    NYTP_TAKES_MEASURE, /* of any one measure: all are of time, of live memory and so on */
    NYTP_TAKES_BESIDE,  /* of one measure of time, and of any memory beside it */
    NYTP_TAKES_ALL      /* of one of time, or of any memory */
};

/* Which memory of a profile of time is shown, instead of time. */
typedef struct nytp_memory_wanted {
    bool is_given;
    nytp_memory_view view;
    const char *text; /* as it was given; of NYTP_TAKES_BESIDE a list of views, with commas */
} nytp_memory_wanted;

/* The options that most programs have. */
typedef struct nytp_common_options {
    bool strict;  /* a profile that was cut short is an error */
    bool salvage; /* what precedes damage is used */
    bool verbose;
    nytp_filter_options filters;
    nytp_memory_wanted memory;
    enum nytp_takes takes;
    bool takes_mixed;   /* profiles made of samples together with others: nothing is the sum of both */
    bool is_stock;      /* what nytprofmerge adds in comments is left out, as stock's reader does */
    bool is_again;      /* what is wrong with the profiles was said when they were read before */
    const char *output; /* the path given with -o; NULL and "-": standard output */
    nytp_dprof_options dprof;
} nytp_common_options;

/* Returns the memory that the options ask for, or source itself if they do not; NULL after saying why
 * there is none. Takes ownership of the source. */
nytp_source *nytp_read_memory(nytp_source *source, const nytp_common_options *options);

#define NYTP_OUTPUT_ROW(common, help) NYTP_ROW('o', "output", "FILE", help, .path = &(common).output)
/* They share a line with the row before them. */
#define NYTP_DAMAGE_ROWS(common, help)                                                                       \
    NYTP_ROW(0, "strict", .flag = &(common).strict),                                                         \
        NYTP_ROW(0, "salvage", NULL, help, .flag = &(common).salvage)

/* The call of a row whose context is an nytp_stretch. */
char *nytp_set_range(const nytp_option *option, const char *argument);

/* The call of a row whose context is the nytp_common_options. */
char *nytp_set_memory(const nytp_option *option, const char *argument);

/* The call of a row whose context is an nytp_slowest. */
char *nytp_set_slowest(const nytp_option *option, const char *argument);

/* The call of a row whose context is a double: seconds, more than 0. */
char *nytp_set_seconds(const nytp_option *option, const char *argument);

/* The call of a row whose context is where a GRegex is, or NULL, and whose value are its GRegexCompileFlags.
 */
char *nytp_set_regex(const nytp_option *option, const char *argument);

/* nytprof-filters(7) has what they do. They share a line. */
#define NYTP_FILTER_ROWS(common)                                                                             \
    NYTP_ROW(0, "no-wait", .flag = &(common).filters.no_wait),                                               \
        NYTP_ROW(0, "work", .flag = &(common).filters.work),                                                 \
        NYTP_ROW(0, "no-labels", .flag = &(common).filters.no_labels),                                       \
        NYTP_ROW(0, "range", "FROM..TO", .call = nytp_set_range, .context = &(common).filters.range),        \
        NYTP_ROW(0, "span", "NAME", .text = &(common).filters.span),                                         \
        NYTP_ROW(0, "slowest", "N", .call = nytp_set_slowest, .context = &(common).filters.slowest),         \
        NYTP_ROW(0, "memory", "VIEW", .call = nytp_set_memory, .context = &(common)),                        \
        NYTP_ROW(0, "process", "PID", "nytp help filters", .count = &(common).filters.process, .least = 1)

#define NYTP_REPORTING_ROWS(common)                                                                          \
    NYTP_ROW('v', "verbose", .flag = &(common).verbose),                                                     \
        NYTP_DAMAGE_ROWS(common, "say what was read; cut, damaged")
#define NYTP_READING_ROWS(common)             NYTP_FILTER_ROWS(common), NYTP_REPORTING_ROWS(common)
#define NYTP_COMMON_ROWS(common, output_help) NYTP_OUTPUT_ROW(common, output_help), NYTP_READING_ROWS(common)

/* Rows that several programs have. Each takes what its option sets. */
#define NYTP_FILE_ROW NYTP_ROW('f', "file", "FILE", "the same as FILE", .is_operand = true)
#define NYTP_UNIT_ROW(unit)                                                                                  \
    NYTP_ROW(0, "unit", "UNIT", "unit of times", .word = &(unit), .words = nytp_time_units)
#define NYTP_KINDS_ROW(common) NYTP_ROW(0, "kinds", .flag = &(common).filters.kinds)
#define NYTP_EVALS_ROW(keep)                                                                                 \
    NYTP_ROW(0, "no-merge-evals", NULL, "keep the runs of a string eval apart", .flag = &(keep))
#define NYTP_EVAL_FRAMES_ROW(common, help) NYTP_ROW(0, "evals", NULL, help, .flag = &(common).filters.evals)
#define NYTP_EVAL_ROWS(common, keep)                                                                         \
    NYTP_EVAL_FRAMES_ROW(common, NULL),                                                                      \
        NYTP_ROW(0, "no-merge-evals", NULL, "string evals are calls; keep their runs apart",                 \
                 .flag = &(keep))
#define NYTP_COLOR_ROW(color, help)                                                                          \
    NYTP_ROW(0, "color", "WHEN", help, .word = &(color), .words = nytp_color_words, .optional = true,        \
             .value = NYTP_COLOR_ALWAYS)
/* Each is a GRegex *. */
#define NYTP_FOCUS_ROWS(focus, ignore)                                                                       \
    NYTP_ROW(0, "focus", "REGEX", .call = nytp_set_regex, .context = &(focus)),                              \
        NYTP_ROW(0, "ignore", "REGEX", "paths through matches; leave out matching subs",                     \
                 .call = nytp_set_regex, .context = &(ignore))
#define NYTP_ROOT_ROW(show)                                                                                  \
    NYTP_ROW(0, "root", NULL, "main::RUNTIME as the root, with time outside of subs", .flag = &(show))
#define NYTP_MIN_ROW(least)                                                                                  \
    NYTP_ROW(0, "min", "LEAST", "add stacks below 1%, or 10us, to their callers", .min = &(least))
#define NYTP_DEPTH_ROW(depth)                                                                                \
    NYTP_ROW(0, "depth", "N", "add calls more than N deep to their callers", .count = &(depth), .least = 1)

enum nytp_operand_kind {
    NYTP_ONE_PROFILE,   /* [FILE]: nytprof.out by default */
    NYTP_PROFILES,      /* [FILE ...]: nytprof.out by default; several are added up */
    NYTP_OTHER_OPERANDS /* the program checks them itself */
};

typedef struct nytp_program {
    const char *about;    /* what it does, in lines that end with a newline */
    const char *examples; /* pipelines, each line indented by two blanks and ended by a newline */
    enum nytp_operand_kind operands;
    const char *operands_usage; /* of NYTP_OTHER_OPERANDS: "OLD NEW" */
    const char *operands_about; /* of NYTP_OTHER_OPERANDS, for --help: what they are; NULL: nothing is said */
    const char *notes;          /* lines at the end of --help; NULL if none */
    bool letters_only;    /* -ab is -a -b, as in dprofpp. Otherwise -ab is --ab if there is such a name */
    bool ends_at_operand; /* all words after the first operand are operands: a command and its options */
    /* Another program, which is executed with the same words if one is an option that is not in the table;
     * NULL: that is wrong usage. */
    const char *others;
    bool passes_letters; /* a word whose letter is not in the table is an operand: another program's option */
} nytp_program;

/* The operands, in the order in which they were given. names points into argv, whose order changes, or to a
 * default. */
typedef struct nytp_operands {
    const char *const *names;
    int count;
} nytp_operands;

/* Returns the profile that is read if none is given: of nytprof.out and nytprof/nytprof.out, where nytp run
 * has it, the one that was written last, or else tmon.out, if that is there. */
const char *nytp_default_profile(void);

/* Returns the operands that were parsed last, if they are profiles that add up; else there are none. */
const nytp_operands *nytp_options_profiles(void);

/* Returns -1 to go on, or the exit status to leave main with: help or the version was printed, or the usage
 * was wrong and a message says so. NYTP_TABLE_END ends the table. */
int nytp_options_parse(const nytp_program *program, const nytp_option *table, int argc, char **argv,
                       nytp_operands *operands);

/* Returns whether one of the options was given, of those that were parsed last. names: their names, separated
 * by blanks; a letter stands for an option without a name. */
bool nytp_options_given(const char *names);

/* What does not go together. */
typedef struct nytp_refusal {
    bool is_so;
    const char *names; /* options without effect then; NULL: is_so alone is an error */
    const char *where; /* "with --json"; without names the whole message */
} nytp_refusal;

/* Returns -1 if nothing is refused, or the exit status after saying what is. One without `where` is the last.
 */
int nytp_options_refuse(const nytp_refusal *refusals);
#define NYTP_REFUSE(...) nytp_options_refuse((const nytp_refusal[]){__VA_ARGS__, {false, NULL, NULL}})

/* Warns of the first of them, where only the profile shows that it has no effect. */
void nytp_options_warn(const char *names, const char *where);

/* Each prints to standard output and returns the exit status. */
int nytp_help_print(const nytp_program *program, const nytp_option *table);
int nytp_help_print_rest(const nytp_option *after);
int nytp_help_version(void);

/* Prints a line for each form of an option that is not hidden: the form, a tab, and its words with blanks
 * between them, or the name of its argument. The form ends with "=" if an argument must follow, and with
 * "[=]" if one may. Returns the exit status. */
int nytp_help_values(const nytp_option *table);

/* Stores the argument where the row says. written is the option as messages show it, with its dashes;
 * argument is NULL if there is none. Returns -1 to go on, or the exit status after saying what was expected.
 */
int nytp_option_apply(const nytp_option *option, const char *written, const char *argument);

/* Writes "a, b or c" to text, with " (default)" after the word with index `marked`; -1: after none. */
void nytp_option_list_words(const char *const *words, int marked, char *text, size_t size);

/* Returns the number of a word, or that of the NULL that ends the words. */
size_t nytp_option_word(const char *text, const char *const *words);

/* Returns "expected a, b or c", for nytp_option.call. */
char *nytp_option_expect(const char *const *words);

/* Returns whether the last --min was a duration. */
bool nytp_min_is_duration(void);

/* Sets *percent to "5%" or "5", which may be more than 100. Returns NULL, or what is wrong with the argument,
 * for nytp_option.call. */
char *nytp_percent_of(const char *argument, double *percent);

enum { NYTP_MOST_PIDS = 4096 };

typedef struct nytp_pid_list {
    pid_t list[NYTP_MOST_PIDS];
    int count;
} nytp_pid_list;

/* For the call of the option's row, whose context is a nytp_pid_list: adds one. */
char *nytp_pid_list_add(const nytp_option *option, const char *argument);

/* Whether a word that is not an option is the number of a process, for which -p was perhaps forgotten. */
bool nytp_pid_is_meant(const char *word);

/* Returns the number of the word with which the text begins, or that of the NULL which ends the words. */
size_t nytp_url_word(const char *text, const char *const *words);

/* Where an option puts a template, and the words that it may have, ended by NULL. */
typedef struct nytp_url_option {
    const char **url;
    const char *const *words;
} nytp_url_option;

/* The call of a row whose context is an nytp_url_option. */
char *nytp_set_url(const nytp_option *option, const char *argument);
