#include "cli/options.h"

#include "cli/say.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad_value(const char *written, const char *argument, const char *wrong)
{
    const char *between = strncmp(written, "--", 2) == 0 ? "=" : " ";
    return nytp_wrong_usage("%s%s%s: %s", written, between, argument, wrong);
}

void nytp_option_list_words(const char *const *words, int marked, char *text, size_t size)
{
    size_t length = 0;
    for (int i = 0; words[i] != NULL && length < size; i++) {
        const char *before = i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ";
        length += (size_t)snprintf(text + length, size - length, "%s%s%s", before, words[i],
                                   i == marked ? " (default)" : "");
    }
}

size_t nytp_option_word(const char *text, const char *const *words)
{
    size_t i = 0;
    while (words[i] != NULL && strcmp(words[i], text) != 0)
        i++;
    return i;
}

char *nytp_option_expect(const char *const *words)
{
    char names[256];
    nytp_option_list_words(words, -1, names, sizeof names);
    return g_strdup_printf("expected %s", names);
}

static int set_word(const nytp_option *option, const char *written, const char *argument)
{
    const size_t word = argument != NULL ? nytp_option_word(argument, option->words) : option->value;
    g_autofree char *wrong =
        argument != NULL && option->words[word] == NULL ? nytp_option_expect(option->words) : NULL;
    if (wrong != NULL)
        return bad_value(written, argument, wrong);
    *option->word = (unsigned)word;
    return -1;
}

static int set_percent(const nytp_option *option, const char *written, const char *argument)
{
    const double most = 100;
    double percent;
    g_autofree char *why = nytp_percent_of(argument, &percent);
    if (why != NULL || percent > most)
        return bad_value(written, argument, "expected a percentage from 0 to 100");
    *option->percent = percent;
    return -1;
}

static bool is_duration; /* the last nytp_option.min */

bool nytp_min_is_duration(void)
{
    return is_duration;
}

static int set_min(const nytp_option *option, const char *written, const char *argument)
{
    char *unit;
    const double number = strtod(argument, &unit), most = 1e9;
    const double per_s = nytp_unit_per_s((enum nytp_unit_word)nytp_option_word(unit, nytp_time_units));
    const bool is_percent = strcmp(unit, *unit == '\0' && option->value == 0 ? "" : "%") == 0;
    if (unit == argument || !(number >= 0 && number <= (is_percent ? 100 : most * per_s)) ||
        (!is_percent && per_s == 0))
        return bad_value(written, argument,
                         "expected a percentage from 0 to 100, or a duration such as 10us");
    is_duration = !is_percent;
    *option->min = is_percent ? (nytp_least){number, 0} : (nytp_least){0, number * 1e9 / per_s};
    return -1;
}

/* Counts share the limit of int32_t, which is beyond all use. */
static int set_number(const nytp_option *option, const char *written, const char *argument)
{
    char *end, wrong[96];
    const bool any = option->whole != NULL && option->least == 0 && option->most == 0;
    const int32_t least = any ? INT32_MIN : option->least,
                  most = option->most != 0 ? option->most : INT32_MAX;
    errno = 0;
    long number = strtol(argument, &end, 10);
    if (end == argument || *end != '\0' || errno != 0 || number < least || number > most) {
        snprintf(wrong, sizeof wrong, "expected a whole number from %d to %d", least, most);
        return bad_value(written, argument, wrong);
    }
    if (option->whole != NULL)
        *option->whole = (int32_t)number;
    else
        *option->count = (uint32_t)number;
    return -1;
}

static int set_path(const nytp_option *option, const char *written, const char *argument)
{
    *option->path = argument;
    return *argument == '\0' ? bad_value(written, argument, "expected the name of a file or directory") : -1;
}

static int call(const nytp_option *option, const char *written, const char *argument)
{
    char *wrong = option->call(option, argument);
    if (wrong == NULL)
        return -1;
    int status =
        argument != NULL ? bad_value(written, argument, wrong) : nytp_wrong_usage("%s: %s", written, wrong);
    free(wrong);
    return status;
}

char *nytp_set_range(const nytp_option *option, const char *argument)
{
    const char *wrong = nytp_stretch_read(argument, option->context);
    return wrong != NULL ? strdup(wrong) : NULL;
}

char *nytp_set_seconds(const nytp_option *option, const char *argument)
{
    double *seconds = option->context;
    char *end;
    *seconds = g_ascii_strtod(argument, &end);
    return *end == '\0' && end != argument && *seconds > 0 && *seconds < 1e9
               ? NULL
               : strdup("expected seconds, more than 0");
}

char *nytp_set_regex(const nytp_option *option, const char *argument)
{
    GRegex **regex = option->context;
    g_autoptr(GError) error = NULL;
    g_clear_pointer(regex, g_regex_unref);
    *regex = g_regex_new(argument, G_REGEX_OPTIMIZE | option->value, 0, &error);
    return error != NULL ? g_strdup(error->message) : NULL;
}

/* Returns NULL, or what is wrong with a list of views. */
static const char *check_views(const char *list, nytp_memory_view *view)
{
    g_auto(GStrv) views = g_strsplit(list, ",", -1);
    const char *wrong = NULL;
    for (char **v = views; *v != NULL && wrong == NULL; v++)
        wrong = g_strv_contains((const char *const *)v + 1, *v) ? "expected each view once"
                                                                : nytp_memory_view_read(*v, view);
    return wrong;
}

char *nytp_set_memory(const nytp_option *option, const char *argument)
{
    nytp_common_options *common = option->context;
    nytp_memory_view *view = &common->memory.view;
    const bool has_comma = strchr(argument, ',') != NULL, is_list = common->takes == NYTP_TAKES_BESIDE;
    const char *wrong =
        has_comma && is_list ? check_views(argument, view) : nytp_memory_view_read(argument, view);
    if (wrong != NULL && has_comma && !is_list)
        wrong = "expected one view; nytprofcg shows several";
    common->memory.is_given = true;
    common->memory.text = argument;
    return wrong != NULL ? strdup(wrong) : NULL;
}

char *nytp_set_slowest(const nytp_option *option, const char *argument)
{
    nytp_slowest *slowest = option->context;
    char *end;
    slowest->count = strtod(argument, &end);
    slowest->is_percent = *end == '%';
    const double most = slowest->is_percent ? 100 : UINT32_MAX;
    const bool is_number =
        end != argument && end[slowest->is_percent] == '\0' && slowest->count > 0 && slowest->count <= most;
    return is_number && (slowest->is_percent || slowest->count == (uint32_t)slowest->count)
               ? NULL
               : strdup("expected how many spans, as 5 or 1%");
}

int nytp_option_apply(const nytp_option *option, const char *written, const char *argument)
{
    if (option->call != NULL)
        return call(option, written, argument);
    if (option->word != NULL)
        return set_word(option, written, argument);
    if (option->percent != NULL)
        return set_percent(option, written, argument);
    if (option->min != NULL)
        return set_min(option, written, argument);
    if (option->count != NULL || option->whole != NULL)
        return set_number(option, written, argument);
    if (option->path != NULL)
        return set_path(option, written, argument);
    if (option->flag != NULL)
        *option->flag = true;
    if (option->clear != NULL)
        *option->clear = false;
    if (option->text != NULL)
        *option->text = argument;
    return -1;
}

char *nytp_percent_of(const char *argument, double *percent)
{
    const double most = 1e6;
    char *end;
    *percent = strtod(argument, &end);
    end += *end == '%';
    return end > argument && *end == '\0' && *percent >= 0 && *percent <= most
               ? NULL
               : strdup("expected a percentage, such as 5%");
}

char *nytp_pid_list_add(const nytp_option *option, const char *argument)
{
    nytp_pid_list *pids = option->context;
    char *end;
    long pid = strtol(argument, &end, 10);
    if (*end != '\0' || pid < 1 || pid > INT32_MAX || !g_ascii_isdigit(argument[0]))
        return g_strdup("expected the number of a process");
    if (pids->count == NYTP_MOST_PIDS)
        return g_strdup("expected fewer processes");
    pids->list[pids->count++] = (pid_t)pid;
    return NULL;
}

bool nytp_pid_is_meant(const char *word)
{
    return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}

size_t nytp_url_word(const char *text, const char *const *words)
{
    size_t i = 0;
    while (words[i] != NULL && strncmp(text, words[i], strlen(words[i])) != 0)
        i++;
    return i;
}

static char *expect_words(const char *const *words, const char *where, const char *argument)
{
    g_autofree char *expected = nytp_option_expect(words);
    return g_strdup_printf("%s %s '%s'", expected, where, argument);
}

char *nytp_set_url(const nytp_option *option, const char *argument)
{
    const nytp_url_option *o = option->context;
    *o->url = argument;
    for (const char *brace = argument; (brace = strchr(brace, '{')) != NULL; brace++)
        if (o->words[nytp_url_word(brace, o->words)] == NULL)
            return expect_words(o->words, "at", brace);
    /* A script in a link would run with what the page knows. Browsers skip blanks before it. */
    const char *start = argument + strspn(argument, "\t\n\v\f\r ");
    if (g_ascii_strncasecmp(start, "javascript:", strlen("javascript:")) == 0 ||
        !g_utf8_validate(argument, -1, NULL))
        return strdup("expected the address of a page or an editor, such as vscode://file{file}:{line}");
    if (*argument != '\0' && strchr(argument, '{') == NULL)
        return expect_words(o->words, "in", argument);
    return NULL;
}
