/* Copies statements and calls from a reader to a writer, decoding only their fids and ticks. */
#pragma once

#include "nytprof.h"

typedef struct nytp_relay {
    const uint32_t *fids; /* the writer's fids, indexed by those of the reader; 0: there is none */
    size_t fid_count;
    bool no_calls; /* leave out SUB_ENTRY and SUB_RETURN */
    bool discount; /* in and out: a DISCOUNT was read, and its statement has not come yet */
    int64_t ticks; /* in and out: sum of the statements that were written */
} nytp_relay;

/* Copies consecutive statements and calls that the reader has buffered to the writer, with the writer's fids
 * and each DISCOUNT right before its statement. Stops at any other chunk, and at a fid for which relay->fids
 * has no number; nytp_reader_next() delivers those. Returns 0, or the writer's error. */
int nytp_reader_relay(nytp_reader *reader, nytp_writer *writer, nytp_relay *relay);
