/* The rare work: every 0.4 s, at the first event after a fork, and when another coroutine runs. */
#pragma once

#include "prof.h"

/* Does the work that is due. Returns whether profiling is enabled afterwards. For prof_probe_init(). */
bool prof_checkpoint(pTHX_ prof *p, uint64_t now);
