/* The names of string evals by where they are done: `(eval N)[FILE:LINE]`. Perl itself names them `(eval N)`,
 * and never twice the same. A place may do millions of evals, so only the first ones keep names of their own.
 */
#pragma once

#include "sampler/sample/resolve.h"

typedef struct sampler_evals sampler_evals;

/* apart: how many evals of one place have names of their own; all others share one. With 0, that is the name
 * `(eval 0)[FILE:LINE]`. */
sampler_evals *sampler_evals_new(int apart);
void sampler_evals_free(sampler_evals *evals);

/* Forgets all, for another program. */
void sampler_evals_clear(sampler_evals *evals);

/* Learns from a stack where the evals on it are done. What is already named keeps its name. */
void sampler_evals_see(sampler_evals *evals, const nytp_strings *strings, const sampler_stack *stack);

/* Returns the name that is shown for a file that perl names so: another one only for evals. Without a place,
 * evals are all of one. Valid until the next call. */
const char *sampler_evals_file(sampler_evals *evals, const char *file);

/* Returns the name of a sub that is defined in a file, which the caller must g_free(): an anonymous sub of an
 * eval is named with the eval's place, as the eval is. Returns NULL if its name is as it was. */
char *sampler_evals_sub(sampler_evals *evals, const char *sub, const char *file);
