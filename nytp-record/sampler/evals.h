/* The names of string evals by where they are done: `(eval N)[FILE:LINE]`. Perl itself names them `(eval N)`,
 * and never twice the same. A place may do millions of evals, so only the first ones keep names of their own.
 */
#ifndef RECORD_EVALS_H
#define RECORD_EVALS_H

#include "stack.h"

typedef struct record_evals record_evals;

/* apart: how many evals of one place have names of their own; all others share one. With 0, that is the name
 * `(eval 0)[FILE:LINE]`. */
record_evals *record_evals_new(int apart);
void record_evals_free(record_evals *evals);

/* Forgets all, for another program. */
void record_evals_clear(record_evals *evals);

/* Learns from a stack where the evals on it are done. What is already named keeps its name. */
void record_evals_see(record_evals *evals, const nytp_strings *strings, const record_stack *stack);

/* Returns the name that is shown for a file that perl names so: another one only for evals. Without a place,
 * evals are all of one. Valid until the next call. */
const char *record_evals_file(record_evals *evals, const char *file);

/* Returns the name of a sub that is defined in a file, which the caller must g_free(): an anonymous sub of an
 * eval is named with the eval's place, as the eval is. NULL: its name is as it was. */
char *record_evals_sub(record_evals *evals, const char *sub, const char *file);

#endif
