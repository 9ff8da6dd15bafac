/* The NYTPROF variable: names, defaults and values. */
#include "prof.h"
#include "table.h"

#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(prof_options, member)

typedef struct int_option {
    const char *name;
    size_t at;
    int initial;
} int_option;

/* Those that a profile tells, in its order. */
static const int_option told[] = {
    {"usecputime", AT(usecputime), 0}, {"subs", AT(subs), 1},
    {"blocks", AT(blocks_given), 0},   {"leave", AT(leave_given), 1},
    {"expand", AT(expand), 0},         {"trace", AT(trace), 0},
    {"use_db_sub", AT(use_db_sub), 0}, {"compress", AT(compress), 6},
    {"clock", AT(clock), -1},          {"stmts", AT(stmts), 1},
    {"slowops", AT(slowops), 2},       {"findcaller", AT(findcaller), 0},
    {"forkdepth", AT(forkdepth), -1},  {"perldb", AT(perldb), 0},
    {"nameevals", AT(nameevals), 1},   {"nameanonsubs", AT(nameanonsubs), 1},
    {"calls", AT(calls), 1},           {"evals", AT(evals), 0},
};

static const int_option untold[] = {
    {"addpid", AT(addpid), 0},     {"addtimestamp", AT(addtimestamp), 0}, {"optimize", AT(optimize), 1},
    {"optimise", AT(optimize), 1}, {"savesrc", AT(savesrc), 1},           {"posix_exit", AT(posix_exit), 0},
    {"libcexit", AT(libcexit), 0}, {"endatexit", AT(endatexit), 0},
};

static const char default_file[] = "nytprof.out";
static const char default_signals[] = "INT HUP PIPE BUS SEGV";

static const int_option *int_option_find(const int_option *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

static int *int_at(prof_options *options, const int_option *option)
{
    return (int *)((char *)options + option->at);
}

static void derive(prof_options *options)
{
    options->blocks = options->stmts ? options->blocks_given : 0;
    options->leave = options->use_db_sub ? 0 : options->leave_given;
}

static void set_defaults(prof_options *options)
{
    memset(options, 0, sizeof *options);
    for (size_t i = 0; i < C_ARRAY_LENGTH(told); i++)
        *int_at(options, &told[i]) = told[i].initial;
    for (size_t i = 0; i < C_ARRAY_LENGTH(untold); i++)
        *int_at(options, &untold[i]) = untold[i].initial;
    options->file = prof_strdup(default_file);
    options->start = PROF_START_BEGIN;
    derive(options);
}

static void set_text(char **text, const char *value)
{
    free(*text);
    *text = prof_strdup(value);
}

static void set_start(pTHX_ prof_options *options, const char *value)
{
    static const char *const names[] = {[PROF_START_BEGIN] = "begin",
                                        [PROF_START_INIT] = "init",
                                        [PROF_START_END] = "end",
                                        [PROF_START_NO] = "no"};
    for (size_t i = 0; i < C_ARRAY_LENGTH(names); i++) {
        if (strcmp(names[i], value) == 0) {
            options->start = (prof_start)i;
            return;
        }
    }
    Perl_croak(aTHX_ "NYTPROF: start=%s: it is one of begin, init, end and no\n", value);
}

/* Names between commas, in either case; those that this system does not have are left out. */
static void set_signals(pTHX_ prof_options *options, const char *value)
{
    free(options->sigexit);
    options->sigexit = NULL;
    if (strcmp(value, "0") == 0 || *value == '\0')
        return;
    if (strcmp(value, "1") == 0) {
        options->sigexit = prof_strdup(default_signals);
        return;
    }
    char *names = prof_alloc(strlen(value) + 2);
    char *end = names;
    while (*value != '\0') {
        size_t length = strcspn(value, ",");
        char *name = end;
        if (name > names)
            *end++ = ' ', name = end;
        for (size_t i = 0; i < length; i++)
            *end++ = (char)toupper((unsigned char)value[i]);
        *end = '\0';
        if (whichsig_pvn(name, (STRLEN)(end - name)) <= 0) {
            Perl_warn(aTHX_ "NYTPROF: sigexit: there is no signal %s\n", name);
            end = name > names ? name - 1 : names;
            *end = '\0';
        }
        value += length + (value[length] == ',');
    }
    options->sigexit = names;
}

static void set_int(pTHX_ prof_options *options, const int_option *option, const char *value)
{
    char *end;
    long number = strtol(value, &end, 0);
    if (end == value || *end != '\0')
        Perl_warn(aTHX_ "NYTPROF: %s=%s: not a number, taken as %ld\n", option->name, value, number);
    if (number < INT_MIN || number > INT_MAX)
        number = number < 0 ? INT_MIN : INT_MAX;
    if (option->at == AT(compress) && (number < 0 || number > 9)) {
        long nearest = number < 0 ? 0 : 9;
        Perl_warn(aTHX_ "NYTPROF: compress=%ld: levels are 0 to 9, taken as %ld\n", number, nearest);
        number = nearest;
    }
    *int_at(options, option) = (int)number;
    derive(options);
}

void prof_options_set(pTHX_ prof_options *options, const char *key, const char *value)
{
    const int_option *option = int_option_find(told, C_ARRAY_LENGTH(told), key);
    if (option == NULL)
        option = int_option_find(untold, C_ARRAY_LENGTH(untold), key);
    if (strcmp(key, "file") == 0)
        set_text(&options->file, value);
    else if (strcmp(key, "log") == 0)
        set_text(&options->log, value);
    else if (strcmp(key, "start") == 0)
        set_start(aTHX_ options, value);
    else if (strcmp(key, "sigexit") == 0)
        set_signals(aTHX_ options, value);
    else if (strcmp(key, "usecputime") == 0)
        Perl_warn(aTHX_ "NYTPROF: usecputime is no more, clock=2 is the processor time of the process\n");
    else if (option != NULL)
        set_int(aTHX_ options, option, value);
    else
        Perl_warn(aTHX_ "NYTPROF: unknown option '%s' ignored\n", key);
}

/* Copies up to one of the stops, or the end; what follows a backslash is no stop. Gives the place it ended
 * at. */
static const char *copy_part(const char *from, const char *stops, char *to)
{
    while (*from != '\0' && strchr(stops, *from) == NULL) {
        if (*from == '\\' && from[1] != '\0')
            from++;
        *to++ = *from++;
    }
    *to = '\0';
    return from;
}

void prof_options_parse(pTHX_ prof_options *options, const char *text)
{
    set_defaults(options);
    if (text == NULL)
        return;
    ENTER;
    char *key, *value;
    size_t size = strlen(text) + 1;
    Newx(key, size, char);
    SAVEFREEPV(key);
    Newx(value, size, char);
    SAVEFREEPV(value);
    while (*text != '\0') {
        text = copy_part(text, "=:", key);
        bool has_value = *text == '=';
        if (has_value)
            text = copy_part(text + 1, ":", value);
        if (*text == ':')
            text++;
        if (has_value && *key != '\0' && *value != '\0')
            prof_options_set(aTHX_ options, key, value);
        else if (has_value || *key != '\0')
            Perl_warn(aTHX_ "NYTPROF: '%s' ignored, options are given as name=value\n", key);
    }
    LEAVE;
}

void prof_options_free(prof_options *options)
{
    free(options->file);
    free(options->log);
    free(options->sigexit);
    options->file = options->log = options->sigexit = NULL;
}

void prof_options_each(const prof_options *options, void (*put)(void *context, const char *key, int value),
                       void *context)
{
    for (size_t i = 0; i < C_ARRAY_LENGTH(told); i++)
        put(context, told[i].name, *(const int *)((const char *)options + told[i].at));
}
