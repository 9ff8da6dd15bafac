/* Subs in which a program waits for others: built-ins, and xsubs of modules and event loops. */
#ifndef NYTP_MODEL_WAITS_H
#define NYTP_MODEL_WAITS_H

#include "nytprof.h"

/* Returns whether the sub waits, by its name, which may have a label. A sub that calls one that waits does
 * not. */
bool nytp_sub_waits(nytp_str name);

#endif
