/* Arcs of a profile that has none: a tmon.out never has, and a nytprof.out has them at its very end. */
#ifndef NYTP_MODEL_DERIVE_ARCS_H
#define NYTP_MODEL_DERIVE_ARCS_H

#include "nytprof.h"

/* If the profile has no arcs, adds those of the calls in the tree, which must have been read from the same
 * chunks. Where the calls were made is not known: fid and line are 0. */
void nytp_profile_derive_arcs(nytp_profile *profile, nytp_calltree *tree);

#endif
