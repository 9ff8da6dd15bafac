/* Every call, in the order in which the calls began. */
#pragma once

#include "calls/callorder.h"
#include "model/names.h"
#include "options.h"

typedef struct tree_order_subs {
    const nytp_names *names;
    const bool *hidden; /* by sub */
    uint32_t root;      /* UINT32_MAX: all calls */
} tree_order_subs;

/* Writes the calls. May be called once. Returns 0, or the errno of an error in the temporary file. Write
 * errors stay with out. */
int tree_order_write(nytp_callorder *order, const tree_options *options, const tree_order_subs *subs,
                     FILE *out);
