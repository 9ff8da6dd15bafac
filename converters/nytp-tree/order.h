/* Every call in the order in which they began. */
#ifndef ORDER_H
#define ORDER_H

#include "model/callorder.h"
#include "model/names.h"
#include "dump.h"

typedef struct order_subs {
    const nytp_names *names;
    const bool *hidden; /* for each sub */
    uint32_t root;      /* UINT32_MAX: all calls */
} order_subs;

/* Once. 0, or the errno of what went wrong with the temporary file; write errors stay with out. */
int order_write(nytp_callorder *order, const dump_options *options, const order_subs *subs, FILE *out);

#endif
