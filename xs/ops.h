/* Replacing op handlers, for the whole process. Each of ours calls the one that was there before. */
#ifndef PROF_OPS_H
#define PROF_OPS_H

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

/* Replaces the handler of an op, unless that was done before. Called with the contexts locked. */
void prof_op_replace(int op_type, Perl_ppaddr_t handler);

/* Defines a function that replaces the handlers of several ops. OPS(OP) is the list of the ops: OP(MATCH)
 * OP(SORT) and so on. Each needs a handler, such as handle_MATCH(). */
#define PROF_HANDLER_ROW(name) {OP_##name, handle_##name},
#define PROF_DEFINE_REPLACE(function, OPS)                                                                   \
    void function(void)                                                                                      \
    {                                                                                                        \
        static const prof_handler handlers[] = {OPS(PROF_HANDLER_ROW)};                                      \
        for (size_t i = 0; i < C_ARRAY_LENGTH(handlers); i++)                                                \
            prof_op_replace(handlers[i].op_type, handlers[i].run);                                           \
    }

#endif
