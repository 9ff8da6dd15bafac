/* Replacing op handlers, for the whole process. Each of ours calls the one that was there before. */
#pragma once

#include "prof.h"

/* The handlers that were there before, by op type. Hidden, so that a handler calls one without loading the
 * array's address: 1 % of a statement. */
extern Perl_ppaddr_t prof_original[MAXO + 1] __attribute__((visibility("hidden")));

/* A replacement for one op type. It does not look at PL_op's type, because a module may call the handler of a
 * perl op for an op of its own. */
typedef struct prof_handler {
    U16 op_type;
    Perl_ppaddr_t run;
} prof_handler;

/* A table of handlers is made of a list of ops, OP(MATCH) OP(SORT) and so on: {OPS(PROF_HANDLER_ROW)}. Each
 * op needs a handler, such as handle_MATCH(). */
#define PROF_HANDLER_ROW(name) {OP_##name, handle_##name},

/* Replaces one handler, whose original the caller has kept. Other threads may compile while the collector is
 * loaded and run the handler at once, so what it reads must be written before. */
void prof_ops_set(int op_type, Perl_ppaddr_t handler);

/* Replaces the handlers of a table of `count`, unless that was done before. Called with the contexts locked.
 */
void prof_ops_replace(const prof_handler *handlers, size_t count);
#define PROF_REPLACE(handlers) prof_ops_replace(handlers, C_ARRAY_LENGTH(handlers))

/* Defines a function that replaces the handlers of a list of ops. */
#define PROF_DEFINE_REPLACE(function, OPS)                                                                   \
    void function(void)                                                                                      \
    {                                                                                                        \
        static const prof_handler handlers[] = {OPS(PROF_HANDLER_ROW)};                                      \
        PROF_REPLACE(handlers);                                                                              \
    }

/* goto.c, leaves.c and syscalls.c */

/* Replaces GOTO: after goto &sub the sub that runs returns, and its caller calls the other sub. */
void prof_replace_goto(void);

/* Replaces the ops after which a statement continues that a block or call has interrupted. Those that leave a
 * sub also end its call. */
void prof_replace_leaves(void);

/* Replaces LEAVEWRITE, too. Not for slowops > 0, which makes it a built-in that is recorded as a sub. */
void prof_replace_leavewrite(void);

/* Replaces EXEC and SYSCALL: system calls that perl code makes, and that the collector must not be in the way
 * of. syscall() calls the kernel without libc. Some calls end or change only the calling thread, and others
 * fail in a process with several threads. A program without threads expects neither of the writing thread. */
void prof_replace_system_calls(void);
