/* Under which name a sub is shown, and whether it is shown. */
#pragma once

#include "options.h"

typedef struct tree_naming tree_naming;

/* Returns NULL if a regular expression is not valid, and sets *why to a message that the caller must
 * g_free(). */
tree_naming *tree_naming_new(const tree_options *options, char **why);
void tree_naming_free(tree_naming *n); /* NULL is fine */

/* A nytp_rename_fn; context is the tree_naming. */
char *tree_naming_rename(void *context, nytp_str raw, size_t *length);

/* Returns whether -f hides the sub, or label, with that shown name. */
bool tree_naming_hides(const tree_naming *n, nytp_str shown);
