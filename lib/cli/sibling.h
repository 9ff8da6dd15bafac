/* Other programs: ours, commands, and the profiles of a run of one. */
#pragma once

#include <glib.h>
#include <signal.h>
#include <stdbool.h>

/* Appends an option to the text of NYTPROF. Of one that is given twice, the last counts. */
void nytp_collector_option(GString *options, const char *name, const char *value);

/* Returns PERL5OPT with ours before the switches of the user, which may be NULL; for g_free(). If those begin
 * with -T, perl looks at nothing else, and nowhere else does it take a -T: then they are all. */
char *nytp_perl_switches(const char *ours, const char *of_user);

typedef struct nytp_parts {
    char *directory; /* of the result */
    char *parts;     /* the directory of the processes' profiles, in that */
} nytp_parts;

/* Creates both directories: directory is the one of the result, or NULL for a new one in TMPDIR. Returns
 * false after saying why. */
bool nytp_parts_begin(nytp_parts *p, const char *directory);

/* Returns a copy of the environment in which all perls profile and write there, for g_strfreev(). */
char **nytp_parts_environment(const nytp_parts *p);

/* Waits a moment for processes that are still ending. Makes nytprof.out in the directory of the result, and
 * removes the parts. Returns its path, for g_free(), or NULL after saying why. */
char *nytp_parts_end(const nytp_parts *p);

void nytp_parts_free(nytp_parts *p);

typedef struct nytp_job {
    char **arguments;      /* the program, found along PATH, and its arguments; ended by NULL */
    char **environment;    /* ended by NULL */
    const char *directory; /* in which it runs; NULL: in that of this process */

    /* Files for its standard descriptors, those for output emptied; NULL: those of this process. */
    const char *input, *output, *errors;
} nytp_job;

typedef struct nytp_job_end {
    int status;   /* as shells have it: 128 and the number of the signal that ended it; 127: not executed */
    double cpu_s; /* processor time of it, and of its children for which it has waited */
    double lasted_s;
} nytp_job_end;

/* Executes the program, and waits until it has ended. Signals that would end this process meanwhile end that
 * program instead, or what it makes of them. If it cannot be executed, says why. */
nytp_job_end nytp_job_run(const nytp_job *job);

/* Whether a signal that came to this process came to the program that it has started, too: the terminal sends
 * Ctrl-C to both. */
bool nytp_job_program_has(int number, const siginfo_t *info);

/* From here on these signals do not end this process while no program runs, either, so that it can tidy up.
 * Signals that are ignored stay so, for a job of nohup(1) or in the background. */
void nytp_job_catch_signals(void);

/* Returns the last signal that was caught; 0 if none. */
int nytp_job_caught(void);

/* Ends this process by the signal that was caught, if one was. */
void nytp_job_end_by_signal(void);

/* Returns a copy of the environment, for g_strfreev(). If this program is in the directory that it was built
 * in, perls find the collector of that build: behind what PERL5LIB has, before one that is installed. */
char **nytp_sibling_environment(void);

/* Returns the path of one of our programs, beside this one or else along PATH, or NULL if it is not
 * installed. The caller must g_free() it. */
char *nytp_sibling_find(const char *program);

/* The same, and says so if it is not installed. */
char *nytp_sibling_wanted(const char *program);

/* Runs the program that the first argument names, and waits until it has ended. Returns false after it or
 * this function has said what went wrong. */
bool nytp_sibling_run(const char *const *arguments);

/* Executes it in place of this process. Returns the exit status if that fails, after saying why. */
int nytp_sibling_execute(const char *program, char **arguments);

/* Runs git, whose name is the first argument; setup is called in its process, and may be NULL. Returns its
 * output without the newline at its end, for g_free(), or NULL after it or this function has said what went
 * wrong. */
char *nytp_git(const char *const *arguments, GSpawnChildSetupFunc setup);
