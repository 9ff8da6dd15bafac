/* A profile that is being read, as perl holds it. */
#pragma once

#include "format/tags.h"
#include "values.h"

enum { READ_TAGS = 16 };

/* What is kept for each tag from chunk to chunk. */
typedef struct read_stream_kind {
    CV *callback; /* NULL if these chunks are skipped */
    SV *name;
    SV *values[READ_VALUES_MAX]; /* made when first needed */
} read_stream_kind;

typedef struct read_stream {
    nytp_reader *reader;
    char *path;                        /* for messages */
    read_stream_kind kinds[READ_TAGS]; /* by the numbers of tags.h */
    LOGOP call;                        /* the op that perl sees calling */
    unsigned forks;                    /* of this process when the file was opened */
    int ended;                         /* NYTP_OK: there may be more */
    SV *number;                        /* $. */
    SV *number_before;
    GV *handle_before; /* the handle that $. belonged to; NULL if none */
} read_stream;

/* Opens the profile. callbacks: a code reference, or a hash of them by tag; croaks if it is neither. The
 * result is freed with the last reference to it. */
SV *read_stream_open(pTHX_ const char *path, SV *callbacks);

extern const MGVTBL read_stream_magic;

/* Returns the stream of a reference that read_stream_open() gave. */
static inline read_stream *read_stream_of(SV *reference)
{
    const MAGIC *magic = SvMAGIC(SvRV(reference));
    while (magic->mg_virtual != &read_stream_magic)
        magic = magic->mg_moremagic;
    return (read_stream *)magic->mg_ptr;
}

/* Reads the next chunk that has a callback, and sets $. to its number. Returns false at the end. */
bool read_stream_next(pTHX_ read_stream *s, nytp_chunk *chunk);

/* Call it when reading has ended. ended: what nytp_reader_next() returned last. Sets *error to a message if
 * the profile is not complete or if a second profile follows, and *warning to one if the reader skipped
 * something; otherwise to undef. The caller owns both. */
void read_stream_problems(pTHX_ nytp_reader *reader, const char *path, int ended, SV **error, SV **warning);

static inline read_stream_kind *read_stream_kind_of(read_stream *s, nytp_tag tag)
{
    return &s->kinds[__builtin_ctz(nytp_tag_bits[tag & 0xFF])];
}
