#include "cli/tool_options.h"

#include "cli/output.h"
#include "cli/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int nytp_tool_usage(void)
{
    fprintf(stderr, "Try '%s --help'.\n", nytp_name());
    return NYTP_EXIT_USAGE;
}

/* Help and version are results: they go to stdout. */
static int print_and_leave(const char *text)
{
    fputs(text, stdout);
    return nytp_flush_stdout();
}

int nytp_tool_option(nytp_common_options *options, int c, const char *help)
{
    char version[64];
    switch (c) {
    case 'h': return print_and_leave(help);
    case NYTP_OPT_VERSION:
        snprintf(version, sizeof version, "%s %s\n", nytp_name(), NYTP_VERSION_STRING);
        return print_and_leave(version);
    case 'o': options->output = optarg; return -1;
    case 'v':
    case NYTP_OPT_VERBOSE: options->verbose = true; return -1;
    case NYTP_OPT_STRICT: options->strict = true; return -1;
    case NYTP_OPT_SALVAGE: options->salvage = true; return -1;
    default: return nytp_tool_usage();
    }
}

/* ---- values ---- */

int nytp_tool_bad_value(const char *option, const char *expected)
{
    const char *between = strncmp(option, "--", 2) == 0 ? "=" : " ";
    nytp_say("%s%s%s: expected %s", option, between, optarg, expected);
    return nytp_tool_usage();
}

int nytp_tool_percent(const char *option, double *percent)
{
    char *end;
    *percent = strtod(optarg, &end);
    bool good = end != optarg && *end == '\0' && *percent >= 0 && *percent <= 100;
    return good ? -1 : nytp_tool_bad_value(option, "a percentage from 0 to 100");
}

int nytp_tool_whole(const char *option, long least, long most, long *number)
{
    char *end, expected[96] = "a whole number";
    *number = strtol(optarg, &end, 10);
    if (end != optarg && *end == '\0' && *number >= least && *number <= most)
        return -1;
    if (most < NYTP_WHOLE_MOST)
        snprintf(expected, sizeof expected, "a whole number from %ld to %ld", least, most);
    else if (least > -NYTP_WHOLE_MOST)
        snprintf(expected, sizeof expected, "a whole number from %ld on", least);
    return nytp_tool_bad_value(option, expected);
}

int nytp_tool_count(const char *option, uint32_t *count)
{
    long number;
    int rc = nytp_tool_whole(option, 1, NYTP_WHOLE_MOST, &number);
    if (rc < 0)
        *count = (uint32_t)number;
    return rc;
}

/* "a, b or c" */
static void list_words(const char *const *words, char *text, size_t size)
{
    size_t used = 0;
    for (; *words != NULL && used < size; words++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", *words,
                                 words[1] == NULL   ? ""
                                 : words[2] == NULL ? " or "
                                                    : ", ");
}

int nytp_tool_word(const char *option, const char *const *words, int *which)
{
    char expected[256];
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(optarg, words[i]) == 0) {
            *which = i;
            return -1;
        }
    }
    list_words(words, expected, sizeof expected);
    return nytp_tool_bad_value(option, expected);
}
