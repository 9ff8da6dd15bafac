/* The perl side of reading: a shared object of its own, for Devel::NYTProf::ReadStream and
 * Devel::NYTProf::Data.
 *
 *   ReadStream.xs   declarations
 *   stream.c        a profile that is being read, as perl holds it
 *   deliver.c       the op that calls back for every chunk
 *   values.c        the values of a chunk
 *   bound.c         the memory that a profile may take
 *   load.c          a whole profile as perl data; the rooms behind it are in load.h
 */
#ifndef NYTP_READ_STREAM_H
#define NYTP_READ_STREAM_H

#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

#include "nytprof.h"
#include "tags.h"

enum {
    STREAM_TAGS = 16,
    STREAM_VALUES = 9 /* of a SUB_CALLERS, which has most */
};

/* What is kept for each tag from chunk to chunk. */
typedef struct stream_kind {
    CV *callback; /* NULL: nobody asked for these */
    SV *name;
    SV *values[STREAM_VALUES]; /* made when first needed */
} stream_kind;

typedef struct stream {
    nytp_reader *reader;
    stream_kind kinds[STREAM_TAGS]; /* by the numbers of tags.h */
    LOGOP call;                     /* what perl sees calling */
    unsigned forks;                 /* of this process when the file was opened */
    int ended;                      /* NYTP_OK: there may be more */
    SV *number;                     /* $. */
    SV *number_before;
    GV *handle_before; /* which $. was of; NULL: none */
} stream;

/* ---- stream.c ---- */

/* Opens the profile; callbacks: a code reference, or a hash of them by tag. Croaks when they are neither.
 * What it returns is freed when nothing refers to it any more. */
SV *stream_open(pTHX_ const char *path, SV *callbacks);

/* Of a reference that stream_open() gave. */
stream *stream_of(pTHX_ SV *reference);

/* Goes to the next chunk that there is a callback for, and sets $. to its number. False: there is none. */
bool stream_next(pTHX_ stream *s, nytp_chunk *chunk);

/* Of a reader that ended so: why it ended before the profile did, or undef. */
SV *stream_error(pTHX_ const nytp_reader *reader, int ended);

/* What it passed over because it made no sense, to be warned of, or undef. */
SV *stream_warning(pTHX_ const nytp_reader *reader);

static inline stream_kind *stream_kind_of(stream *s, nytp_tag tag)
{
    return &s->kinds[__builtin_ctz(nytp_tag_bits[tag & 0xFF])];
}

/* ---- deliver.c ---- */

/* Makes `deliver($stream)`, in void context, the op that calls back. */
void deliver_boot(pTHX);

/* ---- values.c ---- */

/* Puts the values of a chunk, in the order of for_chunks, into SVs that are there from the chunk of the same
 * tag before, where nobody has kept them. Returns how many. */
size_t values_of_chunk(pTHX_ SV **values, const nytp_chunk *chunk);

#endif
