/* Copies statements and calls from a reader to a writer, decoding only their fids and ticks. */
#ifndef NYTP_FORMAT_RELAY_H
#define NYTP_FORMAT_RELAY_H

#include "nytprof.h"

typedef struct nytp_relay {
    const uint32_t *fids; /* the writer's fids, indexed by those of the reader; 0: there is none */
    size_t fid_count;
    bool no_calls; /* leave out SUB_ENTRY and SUB_RETURN */
    bool discount; /* in and out: a DISCOUNT was read whose statement has not come yet */
    int64_t ticks; /* in and out: sum of the statements that were written */
} nytp_relay;

/* Writes statements and calls to the writer, with its fids and each DISCOUNT right before its statement, as
 * long as they are buffered one after another. It leaves any other chunk, and those of a fid that the writer
 * has no number for, to nytp_reader_next(). Returns 0, or the writer's error. */
int nytp_reader_relay(nytp_reader *reader, nytp_writer *writer, nytp_relay *relay);

#endif
