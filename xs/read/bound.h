/* The bound on the memory that a profile may take. The programs limit their whole process. This module counts
 * bytes instead, because the perl program continues after an error. Perl data are large, so the bound of Data
 * differs from that of the programs. */
#pragma once

#include "nytprof.h"
#include "perl_headers.h"

typedef struct read_bound {
    const nytp_reader *reader; /* of the file; the bound grows with the bytes that it has read */
    const char *path;          /* for messages */
    uint64_t taken_bytes, allowed_bytes;
} read_bound;

/* Dies with the line of the caller that asked for the profile. Takes ownership of the message. */
_Noreturn void read_complain(pTHX_ SV *message);

/* Returns a reader of a file. The reader has a bound of its own, which covers a chunk and the processes that
 * have not ended. */
nytp_reader *read_bound_reader(pTHX_ const char *path);

/* Raises the bound according to how much of the file was read. Croaks if more than that was taken. */
void read_bound_extend(pTHX_ read_bound *b);

/* Call it before allocating that many bytes. Croaks if they are too many. */
static inline void read_bound_charge(pTHX_ read_bound *b, uint64_t bytes)
{
    b->taken_bytes += bytes;
    if (b->taken_bytes > b->allowed_bytes)
        read_bound_extend(aTHX_ b);
}
