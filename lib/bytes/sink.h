/* Sinks: where bytes go. */
#ifndef NYTP_BYTES_SINK_H
#define NYTP_BYTES_SINK_H

#include "nytprof.h"

struct nytp_sink {
    /* Writes all of it. Returns 0, or a negative nytp_status with err filled. */
    int (*write)(nytp_sink *self, const void *data, size_t size, nytp_error *err);
    char *name;
};

#endif
