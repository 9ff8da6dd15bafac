/* The calls of a profile as a tmon.out, which dprofpp reads. */
#ifndef NYTP_DPROF_H
#define NYTP_DPROF_H

#include "nytprof.h"

typedef struct dprof dprof;

dprof *dprof_new(void);
void dprof_free(dprof *d);

/* The chunks of a profile. */
uint32_t dprof_wanted(void);
void dprof_take(void *context, nytp_reader *reader, const nytp_chunk *chunk);

/* How many calls there were, of how many subs. */
void dprof_totals(const dprof *d, uint64_t *calls, uint32_t *subs);

/* The whole file, once. 0, or the errno of what went wrong with the temporary file; write errors stay with
 * out. */
int dprof_write(dprof *d, FILE *out);

#endif
