/* Op handlers that are replaced, for the whole process. Each of ours calls the one that was there before. */
#ifndef PROF_OPS_H
#define PROF_OPS_H

#include "prof.h"

/* The handlers that were there before, by op type. */
extern Perl_ppaddr_t prof_original[MAXO + 1];

/* A replacement for one op type. It does not look at PL_op's type, because a module may call the handler of a
 * perl op for an op of its own. */
typedef struct prof_handler {
    U16 op_type;
    Perl_ppaddr_t run;
} prof_handler;

/* Replaces the handler of an op, unless that was done. Called with the contexts locked. */
void prof_op_replace(int op_type, Perl_ppaddr_t handler);

/* For handlers that differ only in their op. OPS(OP) is a list of ops, as OP(MATCH) OP(SORT) ..., each with a
 * handle_MATCH(). Defines a function that replaces the handlers of all of them. */
#define PROF_HANDLER_ROW(name) {OP_##name, handle_##name},
#define PROF_DEFINE_REPLACE(function, OPS)                                                                   \
    void function(void)                                                                                      \
    {                                                                                                        \
        static const prof_handler handlers[] = {OPS(PROF_HANDLER_ROW)};                                      \
        for (size_t i = 0; i < C_ARRAY_LENGTH(handlers); i++)                                                \
            prof_op_replace(handlers[i].op_type, handlers[i].run);                                           \
    }

#endif
