#include "basics/options.h"

#include "basics/alloc.h"
#include "labels/labeltext.h"

#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(prof_options, member)

static const char *const starts[] = {
    [PROF_START_BEGIN] = "begin",
    [PROF_START_INIT] = "init",
    [PROF_START_END] = "end",
    [PROF_START_NO] = "no",
};

/* When an option has an effect. */
typedef enum effect {
    ALWAYS,
    AT_START, /* only NYTPROF can set it */
    UP_TO, /* at run time at most what most_at says: handlers of ops that the start did not need are perl's */
    NEVER  /* the profile records it */
} effect;

/* A profile records the options that are marked so, in the order of the table. A number that is not in the
 * range becomes the nearest one that is. */
typedef struct int_option {
    const char *name;
    size_t at;
    int initial, least, most;
    bool recorded;
    effect effect;
    prof_change on_change;
    size_t most_at;
} int_option;

enum { NOT_GIVEN = 2 };

static const int_option int_options[] = {
    {"usecputime", AT(usecputime), 0, 0, 1, true, NEVER, PROF_CHANGE_NONE, 0},
    {"subs", AT(subs), 1, 0, 1, true, UP_TO, PROF_CHANGE_NONE, AT(most_subs)},
    {"blocks", AT(blocks_given), 0, 0, 1, true, ALWAYS, PROF_CHANGE_BLOCKS, 0},
    {"leave", AT(leave_given), 1, 0, 1, true, AT_START, PROF_CHANGE_NONE, 0},
    {"expand", AT(expand), 0, INT_MIN, INT_MAX, true, NEVER, PROF_CHANGE_NONE, 0},
    {"trace", AT(trace), 0, 0, INT_MAX, true, ALWAYS, PROF_CHANGE_NONE, 0},
    {"use_db_sub", AT(use_db_sub), 0, 0, 1, true, AT_START, PROF_CHANGE_NONE, 0},
    {"compress", AT(compress), 6, 0, 9, true, ALWAYS, PROF_CHANGE_NONE, 0},
    {"clock", AT(clock), -1, -1, INT_MAX, true, AT_START, PROF_CHANGE_NONE, 0},
    {"stmts", AT(stmts), 1, 0, 1, true, UP_TO, PROF_CHANGE_BLOCKS, AT(most_stmts)},
    {"slowops", AT(slowops), 2, 0, 3, true, UP_TO, PROF_CHANGE_BUILTINS, AT(most_slowops)},
    {"findcaller", AT(findcaller), 0, 0, 1, true, ALWAYS, PROF_CHANGE_NONE, 0},
    {"forkdepth", AT(forkdepth), -1, -1, INT_MAX, true, ALWAYS, PROF_CHANGE_FORKS, 0},
    {"perldb", AT(perldb), 0, INT_MIN, INT_MAX, true, NEVER, PROF_CHANGE_NONE, 0},
    {"nameevals", AT(nameevals), 1, 0, 1, true, AT_START, PROF_CHANGE_NONE, 0},
    {"nameanonsubs", AT(nameanonsubs), 1, 0, 1, true, AT_START, PROF_CHANGE_NONE, 0},
    {"calls", AT(calls), 1, 0, 2, true, ALWAYS, PROF_CHANGE_NONE, 0},
    {"evals", AT(evals), 0, INT_MIN, INT_MAX, true, NEVER, PROF_CHANGE_NONE, 0},
    {"addpid", AT(addpid), 0, 0, 1, false, ALWAYS, PROF_CHANGE_NONE, 0},
    {"addtimestamp", AT(addtimestamp), 0, 0, 1, false, ALWAYS, PROF_CHANGE_NONE, 0},
    {"optimize", AT(optimize), 1, 0, 1, false, AT_START, PROF_CHANGE_NONE, 0},
    {"optimise", AT(optimize), 1, 0, 1, false, AT_START, PROF_CHANGE_NONE, 0},
    {"savesrc", AT(savesrc_given), NOT_GIVEN, 0, 1, false, AT_START, PROF_CHANGE_NONE, 0},
    {"posix_exit", AT(posix_exit), 0, 0, 1, false, AT_START, PROF_CHANGE_NONE, 0},
    {"libcexit", AT(libcexit), 0, 0, 1, false, ALWAYS, PROF_CHANGE_NONE, 0}, /* it always has that effect */
    {"endatexit", AT(endatexit), 0, 0, 1, false, AT_START, PROF_CHANGE_NONE, 0},
    {"labelmax", AT(labelmax), 200, 0, 1000000, false, ALWAYS, PROF_CHANGE_NONE, 0},
    {"labellen", AT(labellen), 150, PROF_LABEL_LEAST, PROF_LABEL_MOST, false, ALWAYS, PROF_CHANGE_NONE, 0},
    {"waits", AT(waits), 1, 0, 1, false, AT_START, PROF_CHANGE_NONE, 0},
    {"heap", AT(heap), 0, 0, INT_MAX, false, AT_START, PROF_CHANGE_NONE, 0},
    {"heap_holders", AT(heap_holders), 0, 0, 1, false, ALWAYS, PROF_CHANGE_NONE, 0},
    {"thread", AT(thread), 1, 0, 1, false, ALWAYS, PROF_CHANGE_NONE, 0},
    {"strict", AT(strict), 0, 0, 1, false, ALWAYS, PROF_CHANGE_NONE, 0},
};

static void set_text(pTHX_ void *at, const char *value)
{
    char **text = at;
    PERL_UNUSED_CONTEXT;
    free(*text);
    *text = prof_strdup(value);
}

static void set_start(pTHX_ void *at, const char *value)
{
    for (size_t i = 0; i < C_ARRAY_LENGTH(starts); i++) {
        if (strcmp(starts[i], value) == 0) {
            *(int *)at = (int)i;
            return;
        }
    }
    Perl_croak(aTHX_ "Devel::NYTProf: start=%s: start must be begin, init, end or no\n", value);
}

/* The names of value, which commas separate, in upper case and with blanks between them. Leaves out names
 * that are not signals here. */
static char *signal_names(pTHX_ const char *value)
{
    char *names = prof_alloc(strlen(value) + 2), *end = names;
    while (*value != '\0') {
        const size_t length = strcspn(value, ",");
        char *name = end;
        if (name > names) {
            *end++ = ' ';
            name = end;
        }
        for (size_t i = 0; i < length; i++)
            *end++ = (char)toupper((unsigned char)value[i]);
        *end = '\0';
        if (whichsig_pvn(name, (STRLEN)(end - name)) <= 0) {
            Perl_warn(aTHX_ "Devel::NYTProf: sigexit: there is no signal %s\n", name);
            end = name > names ? name - 1 : names;
            *end = '\0';
        }
        value += length + (value[length] == ',');
    }
    return names;
}

static void set_signals(pTHX_ void *at, const char *value)
{
    static const char default_signals[] = "INT HUP PIPE BUS SEGV";
    char **names = at;
    free(*names);
    if (strcmp(value, "0") == 0 || *value == '\0')
        *names = NULL;
    else if (strcmp(value, "1") == 0)
        *names = prof_strdup(default_signals);
    else
        *names = signal_names(aTHX_ value);
}

typedef struct other_option {
    const char *name;
    size_t at;
    void (*set)(pTHX_ void *at, const char *value);
    const char *initial; /* NULL: as memset() leaves it */
    bool is_text;        /* a malloc()ed char * */
    effect effect;
    prof_change on_change;
} other_option;

static const other_option other_options[] = {
    {"file", AT(file), set_text, "nytprof.out", true, ALWAYS, PROF_CHANGE_FILE},
    {"log", AT(log), set_text, NULL, true, ALWAYS, PROF_CHANGE_LOG},
    {"sigexit", AT(sigexit), set_signals, NULL, true, AT_START, PROF_CHANGE_NONE},
    {"labels", AT(labels), set_text, NULL, true, AT_START, PROF_CHANGE_NONE},
    {"start", AT(start), set_start, "begin", false, AT_START, PROF_CHANGE_NONE},
};

static void *member(prof_options *options, size_t at)
{
    return (char *)options + at;
}

static void derive(prof_options *options)
{
    options->blocks = options->stmts ? options->blocks_given : 0;
    options->leave = options->use_db_sub ? 0 : options->leave_given;
    options->savesrc = options->savesrc_given == NOT_GIVEN ? options->heap == 0 : options->savesrc_given;
}

/* Returns the number that value says, or the nearest one that the option can have. */
static int number_for(pTHX_ const int_option *option, const char *value)
{
    char *end;
    long number = strtol(value, &end, 0);
    if (end == value || *end != '\0')
        Perl_warn(aTHX_ "Devel::NYTProf: %s=%s: not a number, so %ld is used\n", option->name, value, number);
    if (number < option->least || number > option->most) {
        number = number < option->least ? option->least : option->most;
        Perl_warn(aTHX_ "Devel::NYTProf: %s=%s: values are %d to %d, so %ld is used\n", option->name, value,
                  option->least, option->most, number);
    }
    return (int)number;
}

/* Returns the number if the option can have it now, otherwise what it has instead. */
static int possible_now(pTHX_ prof_options *options, const int_option *option, int number)
{
    const int now = *(int *)member(options, option->at);
    int possible = number;
    if (option->effect == NEVER && number != option->initial)
        Perl_warn(aTHX_ "Devel::NYTProf: %s has no effect\n", option->name);
    if (options->started && option->effect == AT_START)
        possible = now;
    if (options->started && option->effect == UP_TO) {
        const int most = *(int *)member(options, option->most_at);
        possible = number < most ? number : most;
    }
    if (possible != number)
        Perl_warn(aTHX_
                  "Devel::NYTProf: %s=%d: only NYTPROF can set that, before the program starts; it is %d\n",
                  option->name, number, possible);
    return possible;
}

static prof_change set_int(pTHX_ prof_options *options, const int_option *option, const char *value)
{
    const int number = possible_now(aTHX_ options, option, number_for(aTHX_ option, value));
    int *at = member(options, option->at);
    const bool changes = *at != number;
    *at = number;
    derive(options);
    return changes ? option->on_change : PROF_CHANGE_NONE;
}

static prof_change set_other(pTHX_ prof_options *options, const other_option *option, const char *value)
{
    if (options->started && option->effect == AT_START) {
        Perl_warn(aTHX_ "Devel::NYTProf: %s: only NYTPROF can set that, before the program starts\n",
                  option->name);
        return PROF_CHANGE_NONE;
    }
    option->set(aTHX_ member(options, option->at), value);
    return option->on_change;
}

static void set_defaults(pTHX_ prof_options *options)
{
    memset(options, 0, sizeof *options);
    for (size_t i = 0; i < C_ARRAY_LENGTH(int_options); i++)
        *(int *)member(options, int_options[i].at) = int_options[i].initial;
    for (size_t i = 0; i < C_ARRAY_LENGTH(other_options); i++)
        if (other_options[i].initial != NULL)
            other_options[i].set(aTHX_ member(options, other_options[i].at), other_options[i].initial);
    derive(options);
}

prof_change prof_options_set(pTHX_ prof_options *options, const char *key, const char *value)
{
    if (strcmp(key, "usecputime") == 0) {
        Perl_warn(aTHX_ "Devel::NYTProf: usecputime is not available; use clock=2 for processor time\n");
        return PROF_CHANGE_NONE;
    }
    for (size_t i = 0; i < C_ARRAY_LENGTH(int_options); i++)
        if (strcmp(int_options[i].name, key) == 0)
            return set_int(aTHX_ options, &int_options[i], value);
    for (size_t i = 0; i < C_ARRAY_LENGTH(other_options); i++)
        if (strcmp(other_options[i].name, key) == 0)
            return set_other(aTHX_ options, &other_options[i], value);
    Perl_warn(aTHX_ "Devel::NYTProf: unknown option '%s' is ignored\n", key);
    return PROF_CHANGE_NONE;
}

/* Warns that what was asked for has no effect without the other option. */
static void warn_without(pTHX_ bool asked, const char *what, int without, const char *other)
{
    if (asked && without == 0)
        Perl_warn(aTHX_ "Devel::NYTProf: %s has no effect with %s=0\n", what, other);
}

void prof_options_start(pTHX_ prof_options *options)
{
    warn_without(aTHX_ options->blocks_given != 0, "blocks=1", options->stmts, "stmts");
    warn_without(aTHX_ options->use_db_sub != 0, "use_db_sub=1", options->stmts, "stmts");
    warn_without(aTHX_ options->calls == 2, "calls=2", options->subs, "subs");
    warn_without(aTHX_ options->findcaller != 0, "findcaller=1", options->subs, "subs");
    warn_without(aTHX_ options->slowops == 3, "slowops=3", options->subs, "subs");
    warn_without(aTHX_ options->labels != NULL, "labels", options->subs, "subs");
    options->most_stmts = options->stmts;
    options->most_subs = options->subs;
    options->most_slowops = options->slowops == 1 ? 2 : options->slowops;
    options->started = true;
}

void prof_options_copy(prof_options *to, const prof_options *from)
{
    *to = *from;
    for (size_t i = 0; i < C_ARRAY_LENGTH(other_options); i++) {
        char **text = member(to, other_options[i].at);
        if (other_options[i].is_text && *text != NULL)
            *text = prof_strdup(*text);
    }
}

void prof_options_free(prof_options *options)
{
    for (size_t i = 0; i < C_ARRAY_LENGTH(other_options); i++)
        if (other_options[i].is_text)
            free(*(char **)member(options, other_options[i].at));
}

void prof_options_each(const prof_options *options, void (*put)(void *context, const char *key, int value),
                       void *context)
{
    for (size_t i = 0; i < C_ARRAY_LENGTH(int_options); i++)
        if (int_options[i].recorded)
            put(context, int_options[i].name, *(const int *)((const char *)options + int_options[i].at));
}

/* Copies from up to a stop or the end. A character after a backslash is not a stop, and with has_packages
 * "::" is none. Returns where it stopped. */
static const char *copy_part(const char *from, const char *stops, bool has_packages, char *to)
{
    while (*from != '\0') {
        if (has_packages && from[0] == ':' && from[1] == ':') {
            *to++ = *from++;
            *to++ = *from++;
            continue;
        }
        if (strchr(stops, *from) != NULL)
            break;
        if (*from == '\\' && from[1] != '\0')
            from++;
        *to++ = *from++;
    }
    *to = '\0';
    return from;
}

void prof_options_parse(pTHX_ prof_options *options, const char *text)
{
    set_defaults(aTHX_ options);
    if (text == NULL)
        return;
    ENTER;
    static const char of_cover[] = "cover_"; /* options of Devel::NYTProf::Cover */
    char *key, *value;
    size_t size = strlen(text) + 1;
    Newx(key, size, char);
    SAVEFREEPV(key);
    Newx(value, size, char);
    SAVEFREEPV(value);
    while (*text != '\0') {
        text = copy_part(text, "=:", false, key);
        bool has_value = *text == '=';
        if (has_value)
            text = copy_part(text + 1, ":", strcmp(key, "labels") == 0, value);
        if (*text == ':')
            text++;
        if (strncmp(key, of_cover, strlen(of_cover)) == 0)
            continue;
        if (has_value && *key != '\0' && *value != '\0')
            prof_options_set(aTHX_ options, key, value);
        else if (has_value && *key != '\0')
            Perl_warn(aTHX_ "Devel::NYTProf: '%s=' in NYTPROF is ignored: it has no value\n", key);
        else if (has_value || *key != '\0')
            Perl_warn(aTHX_ "Devel::NYTProf: '%s' in NYTPROF is ignored: options are NAME=VALUE\n", key);
    }
    LEAVE;
}
