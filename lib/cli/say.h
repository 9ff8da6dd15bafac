/* Messages on stderr. */
#pragma once

#include "export/amount.h"

#include <stdbool.h>
#include <stdint.h>

enum nytp_exit {
    NYTP_EXIT_DONE = 0,
    NYTP_EXIT_FAILED = 1,
    NYTP_EXIT_USAGE = 2,
    NYTP_EXIT_OVER = 3 /* a threshold was exceeded */
};

/* Returns the exit status of a program that is done, or has failed and said why. */
static inline int nytp_exit(bool done)
{
    return done ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}

/* Sets and returns the program's name, with which messages begin. The name must stay valid. */
void nytp_set_name(const char *name);
const char *nytp_name(void);

/* Prints "NAME: message\n" to stderr. Control characters are escaped. */
void nytp_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints what to do, below a message: "  advice\n". */
void nytp_advise(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For wrong usage: prints the same, then "Try 'NAME --help'." Returns NYTP_EXIT_USAGE. */
int nytp_wrong_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns "1 call" or "2000 calls", given "call": for messages, whose numbers have no commas. */
nytp_amount nytp_counted(uint64_t count, const char *what);

/* Warns that stacks were cut at max_depth, unless levels, the number of deeper ones, is 0. */
void nytp_say_stacks_are_cut(uint32_t max_depth, uint64_t levels);

/* Returns whether fd is a terminal that has colours and can overwrite a line. */
bool nytp_is_terminal(int fd);
