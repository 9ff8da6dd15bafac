/* Reads the profiles that nytp-tree shows. */
#ifndef TREE_READ_H
#define TREE_READ_H

#include "calls.h"
#include "cli/options.h"

/* Adds the calls of all files. force: accept missing exit marks in a tmon.out, which are an error otherwise,
 * as in dprofpp. Returns 0, or -1 after saying why. */
int tree_read(tree_calls *c, const nytp_operands *files, const nytp_common_options *common, bool force);

#endif
