/* Processes that are sampled into tables. */
#ifndef TOP_LIVE_H
#define TOP_LIVE_H

#include "tables.h"

#include <sys/types.h>

typedef struct top_live top_live;

/* offsets must live as long. children: perls among the descendants are sampled, too. */
top_live *top_live_new(const pid_t *pids, int count, const char *offsets, bool children);
void top_live_free(top_live *live);

/* Looks for processes that are new. Returns how many are sampled; why, which belongs to live, says why the
 * last that is not sampled is not. */
size_t top_live_look(top_live *live, const char **why);

/* Samples all once; each stack stands for seconds. Processes that ended are left out from then on. Returns
 * how many are left. */
size_t top_live_sample(top_live *live, top_tables *tables, double seconds);

#endif
