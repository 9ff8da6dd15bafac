/* Which kind of memory an allocation is for, from the C functions that have called malloc(). */
#pragma once

#include "heap/kinds.h"

/* Call it once, before the others: loads the unwinder, which allocates memory when it runs first. */
void prof_callers_start(void);

/* The first of these two is called without the lock of the others in this folder, because it takes the
 * dynamic linker's; the second one with it. */

/* Returns the number of the kind that the callers of our own object ask for. */
uint32_t prof_callers_kind(void);

/* Returns the name of a kind, which lives as long as the process. */
const char *prof_callers_kind_name(uint32_t kind);

/* Forgets what is known of addresses: an object was unloaded, and another one may take its place. */
void prof_callers_forget(void);
