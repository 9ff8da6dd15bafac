/* Sinks: where bytes go. */
#pragma once

#include "nytprof.h"

struct nytp_sink {
    /* Writes all of it. Returns 0, or a negative nytp_status with err filled. */
    int (*write)(nytp_sink *self, const void *data, size_t size, nytp_error *err);
    char *name;
};
