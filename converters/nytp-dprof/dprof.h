/* The calls of a profile as a tmon.out, which dprofpp reads. */
#pragma once

#include "events/events.h"

#include <stdio.h>

typedef struct dprof dprof;

dprof *dprof_new(void);
void dprof_free(dprof *d);

/* Returns the events from which it takes the calls of a profile. They belong to d. */
nytp_events *dprof_events(dprof *d);

/* Sets *calls and *subs to how many calls were read, and of how many subs. */
void dprof_totals(const dprof *d, uint64_t *calls, uint32_t *subs);

/* Writes the whole file. May be called once. Returns 0, or the errno of an error in the temporary file. Write
 * errors stay with out. */
int dprof_write(dprof *d, FILE *out);
