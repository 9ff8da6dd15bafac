/* A program that we start, and that does the work of its user: one that is profiled. */
#pragma once

#include <signal.h>
#include <stdbool.h>

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
