/* The environment variable NYTP_MEMORY_MIB: how much memory a program, or perl's modules, may take for a
 * profile.
 */
#ifndef NYTP_WISH_H
#define NYTP_WISH_H

#include "nytprof.h"

/* *bytes 0: it is not set. False: it is no number that makes sense, as err tells. */
bool nytp_memory_from_env(uint64_t *bytes, nytp_error *err);

#endif
