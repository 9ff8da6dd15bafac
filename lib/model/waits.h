/* Which built-in a sub is, and subs in which a program waits for others: built-ins, and xsubs of modules and
 * event loops. */
#pragma once

#include "nytprof.h"

/* Returns perl's name of the op that a built-in is, "print" in "main::CORE:print", or in "CORE::print", as
 * slowops=1 has it; an empty string for another sub. name: without a label. */
nytp_str nytp_sub_op(nytp_str name);

/* Returns whether the sub waits, by its name, which may have a label. A sub that calls one that waits does
 * not. */
bool nytp_sub_waits(nytp_str name);
