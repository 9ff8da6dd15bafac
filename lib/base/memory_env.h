/* The environment variable NYTP_MEMORY_MIB: how much memory a program, or one of perl's modules, may use for
 * a profile. */
#pragma once

#include "nytprof.h"

/* Stores the limit in *bytes, or 0 if the variable is not set. Returns false, with a message in err, if its
 * value is not a number in the range. */
bool nytp_memory_from_env(uint64_t *bytes, nytp_error *err);
