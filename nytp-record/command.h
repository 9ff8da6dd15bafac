/* The command that is started and sampled. What it leaves when it ends, as a daemon does, becomes a child of
 * this process, so that it is still found. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

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
