/* A profile that is being read, as perl holds it. */
#pragma once

#include "nytprof.h"

#include "format/tags.h"
#include "perl_headers.h"

/* Makes `deliver($stream)`, in void context, that op. */
void read_deliver_boot(pTHX);

/* Fills an empty hash. Sets *error and *warning to messages or undef; the caller frees both. */
void read_load_profile(pTHX_ HV *profile, const char *path, SV **error, SV **warning);

enum { READ_VALUES_MAX = 9 /* SUB_CALLERS has the most */ };

/* Puts the values of a chunk into SVs, in the order of for_chunks. values has the SVs of the last chunk with
 * the same tag; those that no perl code has kept are used again. Returns how many values there are. */
size_t read_values_of_chunk(pTHX_ SV **values, const nytp_chunk *chunk);

/* The bound on the memory that a profile may take. The programs limit their whole process. This module counts
 * bytes instead, because the perl program continues after an error. Perl data are large, so the bound of Data
 * differs from that of the programs. */

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

#define READ_COUNT_TAG(name, n) +1
enum { READ_TAGS = NYTP_TAGS(READ_COUNT_TAG) };

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
