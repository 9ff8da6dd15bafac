/* The calls of a profile as a tmon.out, which dprofpp reads. */
#pragma once

#include "nytprof.h"

typedef struct dprof dprof;

dprof *dprof_new(void);
void dprof_free(dprof *d);

/* The tags that dprof_read() needs. */
uint32_t dprof_tags(void);

/* An nytp_read_some_fn that adds the calls of a profile. context is the dprof. */
int dprof_read(void *context, nytp_reader *reader);

/* Sets *calls and *subs to how many calls were read, and of how many subs. */
void dprof_totals(const dprof *d, uint64_t *calls, uint32_t *subs);

/* Writes the whole file. May be called once. Returns 0, or the errno of an error in the temporary file. Write
 * errors stay with out. */
int dprof_write(dprof *d, FILE *out);
