/* Which name a sub is shown under, and whether it is. */
#ifndef NAMING_H
#define NAMING_H

#include "dump.h"

typedef struct naming naming;

/* NULL: a regular expression makes no sense, and *why, to be freed with g_free(), says why. */
naming *naming_new(const dump_options *options, char **why);
void naming_free(naming *n); /* NULL is fine */

/* A nytp_rename_fn; context is the naming. */
char *naming_rename(void *context, nytp_str raw, size_t *length);

/* Whether -f leaves out the sub with that shown name. */
bool naming_hides(const naming *n, nytp_str shown);

#endif
