/* The bound on the memory that a profile may take in a perl that goes on afterwards: counted, as nobody but
 * perl itself may limit its process. Perl data are large, so Data's bound is another than that of the
 * programs. */
#ifndef NYTP_READ_BOUND_H
#define NYTP_READ_BOUND_H

#include "stream.h"

typedef struct bound {
    const nytp_reader *reader; /* of the file, as is its name */
    const char *path;
    uint64_t taken_bytes, allowed_bytes;
} bound;

/* A reader of a file, which keeps a bound of its own: on a chunk, and the processes that have not ended. */
nytp_reader *bound_reader(pTHX_ const char *path);

/* Allows what the file allows so far, or croaks. */
void bound_extend(pTHX_ bound *b);

/* Before so many bytes are allocated. */
static inline void bound_take(pTHX_ bound *b, uint64_t bytes)
{
    b->taken_bytes += bytes;
    if (b->taken_bytes > b->allowed_bytes)
        bound_extend(aTHX_ b);
}

#endif
