/* How much memory somebody wishes a profile to take: the variable NYTP_MEMORY_MIB, to the programs and to
 * perl's modules alike.
 */
#ifndef NYTP_WISH_H
#define NYTP_WISH_H

#include "nytprof.h"

/* 0: there is no wish. False: it is no whole number of MiB that makes sense, as err tells. */
bool nytp_wished_bytes(uint64_t *bytes, nytp_error *err);

#endif
