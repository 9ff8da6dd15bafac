/* What is done every 0.4 s, at the first event after a fork, and when another coroutine runs. */
#ifndef PROF_CHECKPOINT_H
#define PROF_CHECKPOINT_H

#include "prof.h"

/* For prof_probe_init(). Returns whether profiling is enabled. */
bool prof_checkpoint(pTHX_ prof *p, uint64_t now);

#endif
