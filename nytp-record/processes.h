/* Other processes: the command that is started and sampled, our other programs, signals, and stopping with
 * ptrace(2). */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Runs the program that the first argument names, with standard input from `from`, and standard output to
 * `to` unless that is -1, and waits until it has ended. Returns false after it or this function has said what
 * went wrong; nothing is said if its output was a pipe that nobody read. */
bool record_child_run(const char *const *arguments, int from, int to);

/* Waits until a child has ended. Ctrl-C ends it, by SIGALRM, after a second. Returns whether *status is its
 * status, as waitpid(2) has it. */
bool record_child_wait(pid_t pid, int *status);

/* The command that is started and sampled. What it leaves when it ends, as a daemon does, becomes a child of
 * this process, so that it is still found. */

typedef struct record_command {
    const char *name;
    pid_t pid; /* 0: it has ended */
    int status;
    bool has_children; /* the command, or what it left, still runs */
} record_command;

/* Lets this process open as many files as it may: each process that is sampled needs some. A command is
 * started with the limit from before. */
void record_command_raise_descriptors(void);

/* Starts arguments[0]. Returns 0, or the exit status, as shells have it, after saying why it cannot be
 * executed. */
int record_command_start(record_command *command, char **arguments);

/* Notes which children have ended. */
void record_command_reap(record_command *command);

/* Sends the command what asked for the end of this process, unless it has that already. */
void record_command_pass_on(const record_command *command);

/* Waits until the command has ended. A signal that asks for the end is for the command; another one, a second
 * later, ends the waiting, which is said. */
void record_command_wait(record_command *command);

/* Returns the exit status of a command that has ended, as shells have it. */
int record_command_status(const record_command *command);

/* From here on SIGINT, SIGTERM and SIGHUP ask for the end, SIGUSR1 for a complete file. with_pause: SIGTSTP,
 * which Ctrl-Z sends, asks for a pause. */
void record_signals_begin(bool with_pause);

/* SIGTSTP stops this program again, as it does by default. */
void record_signals_end_pause(void);

bool record_signals_end_wanted(void);
bool record_signals_take_end(void); /* whether one of the three came since the last time */

/* Returns the last of the three that came to this process alone since the last time; 0 if none did. The
 * terminal sends Ctrl-C to the command, too. */
int record_signals_take_own(void);

bool record_signals_take_pause(void);      /* whether SIGTSTP came since the last time */
bool record_signals_take_conclude(void);   /* whether SIGUSR1 came since the last time */
bool record_signals_was_interrupted(void); /* the same for SIGINT */

/* To wait for a signal without losing one that comes before the wait: from record_signals_hold() on, signals
 * that ask for something, and that of a child that has ended, are kept for record_signals_wait(), which
 * returns after one of them. *before: for record_signals_let_go(). */
void record_signals_hold(sigset_t *before);
void record_signals_wait(void);
void record_signals_let_go(const sigset_t *before);

typedef struct record_stopper {
    pid_t pid;  /* 0: none is seized */
    int status; /* what it has stopped with, as waitpid(2) has it; 0: it runs */
} record_stopper;

/* Each returns 0, or -1 with errno set. */

int record_stopper_seize(record_stopper *stopper, pid_t pid);

/* Lets the process go on after the stops that signals made since the last time, and hands the signals on. Due
 * before each sample, also where none is taken: the process waits for it. */
int record_stopper_pass_on(const record_stopper *stopper);

/* How long to wait for a process to stop: one that waits for a disk or a file server does not. */
#define RECORD_STOPPER_SHORT_NS INT64_C(10000000)
#define RECORD_STOPPER_LONG_NS  INT64_C(1000000000)

/* Returns when the process has stopped. EINTR: a signal for this process came first. EAGAIN: it has not
 * stopped within that time; record_stopper_pass_on() has it go on if it does later. */
int record_stopper_stop(record_stopper *stopper, int64_t patience_ns);
int record_stopper_go_on(record_stopper *stopper);

/* Says why a process could not be seized or stopped. */
void record_stopper_say(pid_t pid, int error_number);
void record_stopper_explain(pid_t pid, int error_number, char *to, size_t size);

/* Stops tracing, so that the process goes on. Does nothing if no process is seized. */
void record_stopper_release(record_stopper *stopper);

/* Takes the exit status of a child that has ended, as waitpid(2) has it. Returns its pid, 0 if all children
 * go on, or -1 if there is none. A stop of a child that is traced is left for record_stopper_stop(). */
pid_t record_stopper_reap(int *status);
