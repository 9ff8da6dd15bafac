/* Which xsub a perl executes: it has no context, so the op that calls says it. */
#ifndef RECORD_CALLEE_H
#define RECORD_CALLEE_H

#include "names.h"
#include "optypes.h"

/* The name of the xsub that an entersub op calls by name. curpad: the pad of the code that calls. false: it
 * is not an xsub, or is called as a method or through a reference. */
bool record_callee_name(const record_interpreter *i, const record_optypes *types, uint64_t op,
                        uint64_t curpad, record_name *name);

#endif
