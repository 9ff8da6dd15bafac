/* Statements of SQL that run again and again, as their labels say. */
#pragma once

#include "findings/finder.h"

/* One query for each row of another (N+1) could be a single one, such as a join. */
void nytp_find_repeated_queries(nytp_finder *finder, nytp_calltree *stacks);
