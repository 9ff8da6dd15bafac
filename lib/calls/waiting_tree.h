/* The stacks in which calls waited. */
#pragma once

#include "calls/calltree.h"

/* Returns a tree with those stacks of another one that were asleep, and their callers, if that one reads how
 * long calls waited. Its times are those, in the ticks of the other one, whose names it uses. It must be
 * freed first. */
nytp_calltree *nytp_waiting_tree_new(nytp_calltree *tree);
