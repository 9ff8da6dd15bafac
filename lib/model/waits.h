/* Subs in which a program waits for others: built-ins, and xsubs of modules and event loops. */
#pragma once

#include "nytprof-model.h"

/* Returns whether the sub waits, by its name, which may have a label. A sub that calls one that waits does
 * not. */
bool nytp_sub_waits(nytp_str name);

/* Returns whether it waits until there is something to do: for clients, events, or children that end. */
bool nytp_sub_idles(nytp_str name);

/* Returns whether some of the profile's time was spent in subs that wait. A profile of memory has no time. */
bool nytp_profile_waits(const nytp_profile *profile);
