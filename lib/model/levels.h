/* Statements summed up by line, block and sub, for profiles recorded with blocks=1. */
#ifndef NYTP_MODEL_LEVELS_H
#define NYTP_MODEL_LEVELS_H

#include "model/records.h"
#include "nytprof-model.h"

nytp_records *nytp_levels_new(void);         /* of nytp_level */
void nytp_levels_free(nytp_records *levels); /* NULL is fine */

/* Adds the sums of a record. */
void nytp_levels_add_sum(nytp_records *levels, const nytp_level *level);

/* Like nytp_records_change(); change may set fid of an nytp_level. */
void nytp_levels_change(nytp_records *levels, nytp_record_change_fn *change, void *context);

#endif
