#include "cli/options.h"

#include "base/closest.h"
#include "cli/say.h"
#include "cli/sibling.h"

#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options that were given in the command line that was parsed last. */
enum { MOST_GIVEN = 100 };
static struct {
    const char *names[MOST_GIVEN]; /* NULL: the option has only a letter */
    char letters[MOST_GIVEN];
    size_t count;
} given;

static nytp_operands profiles; /* that add up */

typedef struct parsing {
    const nytp_program *program;
    const nytp_option *table;
    char **argv;
    char **words;     /* the same, in the order in which they were given; NULL if that is not wanted */
    int argc, next;   /* argv[next] is the next word to look at */
    int count;        /* operands, moved to argv[1] and on */
    char *given_file; /* by an option that is_operand; NULL if none */
} parsing;

/* The options that all programs have. */
enum { HELP, VERSION, VALUES };
static const nytp_option builtin[] = {[HELP] = {'h', "help", .flag = NULL},
                                      [VERSION] = {0, "version", .flag = NULL},
                                      [VALUES] = {0, "help-values", .flag = NULL},
                                      NYTP_TABLE_END};

static bool is_option(const nytp_option *row)
{
    return row->letter != 0 || row->name != NULL;
}

/* Returns the row after `row`; the first one for NULL; NULL after the last one. The rows of builtin follow
 * those of the program. */
static const nytp_option *next_option(const parsing *p, const nytp_option *row)
{
    row = row == NULL ? p->table : row + 1;
    while (row->group != NULL)
        row++;
    if (!is_option(row) && row != &builtin[VALUES + 1])
        row = builtin;
    return is_option(row) ? row : NULL;
}

#define EACH_OPTION(row, p) for (const nytp_option *row = NULL; (row = next_option(p, row)) != NULL;)

static const nytp_option *find_letter(const parsing *p, char letter)
{
    EACH_OPTION(row, p)
        if (row->letter == letter)
            return row;
    return NULL;
}

/* A row by its name, in full or shortened. */
typedef struct match {
    const nytp_option *named;  /* the row that has the name; NULL if none */
    const nytp_option *option; /* the same, or what it is an alias of */
    bool ambiguous;            /* other options begin like this, too */
} match;

static const nytp_option *resolve(const parsing *p, const nytp_option *named)
{
    const nytp_option *row = named;
    if (named->same_as != NULL)
        for (row = p->table; row->name == NULL || strcmp(row->name, named->same_as) != 0;)
            row++;
    return row;
}

static bool begins(const nytp_option *row, const char *name, size_t length)
{
    return row->name != NULL && row != &builtin[VALUES] && strncmp(row->name, name, length) == 0;
}

static match find_name(const parsing *p, const char *name, size_t length)
{
    match found = {0};
    EACH_OPTION(row, p) {
        if (row->name != NULL && strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return (match){row, resolve(p, row), false};
        if (!begins(row, name, length))
            continue;
        const nytp_option *option = resolve(p, row);
        found.ambiguous = found.ambiguous || (found.named != NULL && found.option != option);
        found.named = found.named != NULL ? found.named : row;
        found.option = found.option != NULL ? found.option : option;
    }
    return found;
}

/* Lists the options that a shortened name may mean, without their aliases. */
static int refuse_ambiguous(const parsing *p, const char *word, const char *name, size_t length)
{
    char names[512];
    size_t used = 0;
    EACH_OPTION(row, p)
        if (begins(row, name, length) && (row->same_as == NULL || !begins(resolve(p, row), name, length)) &&
            used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, " --%s", row->name);
    return nytp_wrong_usage("option '%s' is ambiguous; possibilities:%s", word, names);
}

static void note_given(const nytp_option *option)
{
    if (given.count < MOST_GIVEN) {
        given.names[given.count] = option->name;
        given.letters[given.count++] = option->letter;
    }
    if (option->without_effect)
        nytp_say("warning: --%s has no effect", option->name);
}

static int refuse_unknown(const parsing *p, const char *word, const char *name, size_t length)
{
    if (p->words != NULL)
        return nytp_sibling_execute(p->program->others, p->words);
    g_autofree char *wrong = g_strndup(name, length);
    nytp_closest closest = {.wrong = wrong};
    EACH_OPTION(row, p)
        if (row->name != NULL)
            nytp_closest_try(&closest, row->name, strlen(row->name));
    return nytp_wrong_usage("unrecognized option '%s'%s%s", word, closest.distance > 0 ? ": --" : "",
                            closest.distance > 0 ? nytp_closest_hint(&closest) + strlen(": ") : "");
}

/* Applies an option. argument is what is attached to it, or NULL. Returns -1 to go on, or the exit status, as
 * do the functions below. */
static int apply(parsing *p, const nytp_option *option, const char *written, char *argument)
{
    if (option == &builtin[HELP])
        return nytp_help_print(p->program, p->table);
    if (option == &builtin[VERSION])
        return nytp_help_version();
    if (option == &builtin[VALUES])
        return nytp_help_values(p->table);
    if (option->lists_rest)
        return nytp_help_print_rest(option);
    note_given(option);
    if (option->argument != NULL && !option->optional && argument == NULL) {
        if (p->next == p->argc)
            return nytp_wrong_usage("option '%s' requires an argument", written);
        argument = p->argv[p->next++];
    }
    if (!option->is_operand)
        return nytp_option_apply(option, written, argument);
    p->given_file = argument;
    return -1;
}

static int parse_name(parsing *p, char *word, const char *name)
{
    char written[64], *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    match found = find_name(p, name, length);
    if (found.ambiguous)
        return refuse_ambiguous(p, word, name, length);
    if (found.named == NULL)
        return refuse_unknown(p, word, name, length);
    snprintf(written, sizeof written, "--%s", found.named->name);
    if (equals != NULL && found.option->argument == NULL)
        return nytp_wrong_usage("option '%s' doesn't allow an argument", written);
    return apply(p, found.option, written, equals != NULL ? equals + 1 : NULL);
}

static int parse_letters(parsing *p, char *word)
{
    for (char *at = word + 1; *at != '\0'; at++) {
        const char written[] = {'-', *at, '\0'};
        const nytp_option *option = find_letter(p, *at);
        if (option == NULL)
            return p->words != NULL ? nytp_sibling_execute(p->program->others, p->words)
                                    : nytp_wrong_usage("invalid option '%s'", written);
        const bool takes_rest = option->argument != NULL && !option->optional;
        int status = apply(p, option, written, takes_rest && at[1] != '\0' ? at + 1 : NULL);
        if (status >= 0 || takes_rest)
            return status;
    }
    return -1;
}

/* As in getopt_long_only(3), -x is a letter if there is such a letter, and -xyz is a long name if one begins
 * with xyz, and letters otherwise. */
static int parse_one_dash(parsing *p, char *word)
{
    const char *name = word + 1;
    const bool letter = find_letter(p, *name) != NULL;
    if (p->program->letters_only || (letter && name[1] == '\0'))
        return parse_letters(p, word);
    return letter && find_name(p, name, strcspn(name, "=")).named == NULL ? parse_letters(p, word)
                                                                          : parse_name(p, word, name);
}

static void keep_operand(parsing *p, char *word)
{
    p->argv[1 + p->count++] = word;
}

static bool is_operand(const parsing *p, const char *word)
{
    return word[0] != '-' || word[1] == '\0' ||
           (p->program->passes_letters && word[1] != '-' && find_letter(p, word[1]) == NULL);
}

static int parse_words(parsing *p)
{
    bool options_end = false;
    int status = -1;
    while (p->next < p->argc && status < 0) {
        char *word = p->argv[p->next++];
        if (options_end || is_operand(p, word)) {
            keep_operand(p, word);
            options_end = options_end || p->program->ends_at_operand || getenv("POSIXLY_CORRECT") != NULL;
        } else if (strcmp(word, "--") == 0) {
            options_end = true;
        } else {
            status = word[1] == '-' ? parse_name(p, word, word + 2) : parse_one_dash(p, word);
        }
    }
    return status;
}

int nytp_options_parse(const nytp_program *program, const nytp_option *table, int argc, char **argv,
                       nytp_operands *operands)
{
    static const char *default_name;
    given.count = 0;
    g_autofree char **words =
        program->others != NULL ? g_memdup2(argv, (size_t)(argc + 1) * sizeof *argv) : NULL;
    parsing p = {.program = program, .table = table, .argv = argv, .words = words, .argc = argc, .next = 1};
    int status = parse_words(&p);
    if (status >= 0)
        return status;
    if (p.given_file != NULL)
        keep_operand(&p, p.given_file);
    *operands = (nytp_operands){(const char *const *)argv + 1, p.count};
    if (program->operands == NYTP_ONE_PROFILE && p.count > 1)
        return nytp_wrong_usage("one profile at a time; nytprofmerge makes one from many");
    if (program->operands != NYTP_OTHER_OPERANDS && p.count == 0) {
        default_name = nytp_default_profile();
        *operands = (nytp_operands){&default_name, 1};
    }
    profiles = program->operands == NYTP_PROFILES ? *operands : (nytp_operands){0};
    return -1;
}

const nytp_operands *nytp_options_profiles(void)
{
    return &profiles;
}

static bool was_given(const char *name, size_t length)
{
    for (size_t i = 0; i < given.count; i++)
        if (given.names[i] != NULL
                ? strlen(given.names[i]) == length && memcmp(given.names[i], name, length) == 0
                : length == 1 && given.letters[i] == *name)
            return true;
    return false;
}

/* Returns whether one of the options was given, and how messages call it. */
static bool find_given(const char *names, char shown[NAME_MAX])
{
    for (size_t length; *names != '\0'; names += length + strspn(names + length, " ")) {
        length = strcspn(names, " ");
        if (!was_given(names, length))
            continue;
        snprintf(shown, NAME_MAX, "%s%.*s", length == 1 ? "-" : "--", (int)length, names);
        return true;
    }
    return false;
}

bool nytp_options_given(const char *names)
{
    char shown[NAME_MAX];
    return find_given(names, shown);
}

int nytp_options_refuse(const nytp_refusal *r)
{
    char shown[NAME_MAX];
    for (; r->where != NULL; r++)
        if (r->is_so && r->names == NULL)
            return nytp_wrong_usage("%s", r->where);
        else if (r->is_so && find_given(r->names, shown))
            return nytp_wrong_usage("%s has no effect %s", shown, r->where);
    return -1;
}

void nytp_options_warn(const char *names, const char *where)
{
    char shown[NAME_MAX];
    if (find_given(names, shown))
        nytp_say("warning: %s has no effect %s", shown, where);
}
