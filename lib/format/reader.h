/* The reader: where it is in its input, and what it was asked for. next.c, sequence.c, text.c and dprof/
 * decode its bytes, and so do the fast paths in runs.h and relay.c. */
#pragma once

#include "base/collector.h"
#include "base/labels.h"
#include "base/pids.h"
#include "bytes/source.h"
#include "format/primitives.h"

/* Numbers of perls whose NVs are not doubles. Such profiles are rare, so their chunks are decoded apart from
 * those of doubles, one at a time and without the fast paths. */

/* How the NVs of a profile are written, low byte first. */
typedef enum nytp_nv_kind {
    NYTP_NV_DOUBLE,
    NYTP_NV_X87_12,     /* long doubles of x86: 10 bytes, and 2 of padding */
    NYTP_NV_X87_16,     /* the same on x86-64, with 6 bytes of padding */
    NYTP_NV_BINARY128,  /* quadmath, and long doubles of arm64 */
    NYTP_NV_16_UNKNOWN, /* one of the last two */
    NYTP_NV_UNREADABLE
} nytp_nv_kind;

/* Returns the kind of NVs of that size: what the attribute nv_size says. */
nytp_nv_kind nytp_nv_kind_of_size(double size);

/* Like nytp_get_fields(), for NVs of that kind. At a PID_START, which is the first chunk that has an NV,
 * finds out which kind of 16 bytes it is, by whether the time makes sense. If it makes none at all, *kind
 * becomes NYTP_NV_UNREADABLE. */
bool nytp_get_wide_fields(nytp_cursor *c, nytp_chunk *chunk, nytp_nv_kind *kind);

/* Whether that time of a PID_START, read as a double, is one whose high byte comes first. */
bool nytp_is_big_endian(double time_s);

#define NYTP_NOT_A_PROFILE "not a Perl profile: expected \"NYTProf 5 0\" or \"#fOrTyTwO\""

/* What a function that decodes returns. */
typedef enum nytp_decode_result {
    NYTP_DECODED,     /* it filled the chunk */
    NYTP_SKIPPED,     /* consumed input without producing a chunk; a malformed line also counts a warning */
    NYTP_NEEDS_BYTES, /* the chunk is longer than what is buffered */
    NYTP_FAILED       /* error and ended are set */
} nytp_decode_result;

/* Changes what a reader delivers: nytp_reader_next() calls next, which takes chunks by
 * nytp_reader_next_unfiltered() (events/filters.h).*/
typedef struct nytp_reader_filter {
    int (*next)(void *context, nytp_reader *reader, nytp_chunk *chunk); /* NULL if there are no filters */
    void (*free)(void *context);                                        /* called with the reader's end */
    void *context;
    bool is_idle;    /* they would pass on the events that come next as they are */
    uint32_t needs;  /* the tags that the filters need */
    uint32_t wanted; /* the tags to deliver, while nytp_reader.wanted has both */
} nytp_reader_filter;

struct nytp_reader {
    nytp_source *source;
    unsigned char *buffer; /* capacity + NYTP_PAD bytes */
    size_t capacity;
    const unsigned char *base; /* what at and end point into: the buffer, or bytes that the source lent */
    /* The bytes that are buffered and not yet decoded are those from at to end; NYTP_PAD zeros follow. at and
     * end are kept apart on purpose: gcc loads neighbours with one vector load, which waits until the recent
     * store to at has left the store buffer (a store-forwarding stall). */
    const unsigned char *at;
    uint64_t base_offset; /* position of base in the chunk stream */
    const unsigned char *end;
    uint32_t wanted;  /* the tags to deliver, as bits */
    int ended;        /* NYTP_OK while reading; then what nytp_reader_next() returns */
    uint32_t version; /* major; 0 before the header */
    bool plain;       /* events can be decoded in place: a nytprof.out has begun, and its NVs are doubles */
    bool inflating;
    bool seen_process; /* there was a PID_START */
    bool at_header;    /* reading ended at the header of another profile, which is at r->at */
    enum nytp_threads threads;
    enum nytp_inflate_with inflate_with;
    nytp_nv_kind nvs;      /* of the current profile */
    size_t searched_bytes; /* of the line that is being read: how many are known to have no newline */
    nytp_pids open_pids;
    double ticks_per_sec;
    nytp_collector collector; /* of the current profile */
    char unit[32];            /* of its ticks; empty: time */
    char memory_of[16];       /* which part of memory a profile of memory is of */
    bool is_sampled;          /* by the attribute sampled_hz */
    bool is_cover;            /* by the attribute cover */
    char wrong_memory[256]; /* message about the first attribute memory that makes no sense; empty if none */
    uint64_t cut_processes; /* of the current profile, as nytprofmerge says */
    uint64_t chunks;
    size_t warnings;
    char first_warning[256];
    uint64_t limit_base_bytes; /* see nytp_reader_set_memory(); 0: no limit */
    uint32_t limit_bytes_per_byte;
    nytp_error error;
    nytp_labels *dropped; /* labels to leave out; NULL if none */
    nytp_reader_filter filter;
    struct nytp_tmon *tmon; /* NULL: the profile is a nytprof.out */
    nytp_dprof_options dprof;
};

/* Sets the library that the reader inflates with. */
void nytp_reader_set_inflater(nytp_reader *reader, enum nytp_inflate_with with);

/* nytp_reader_next() without the filters. */
int nytp_reader_next_unfiltered(nytp_reader *reader, nytp_chunk *chunk);

/* Returns whether filters may change the events that come next. */
static inline bool nytp_reader_is_filtered(const nytp_reader *reader)
{
    return reader->filter.next != NULL && !reader->filter.is_idle;
}

/* Returns whether events may be decoded in place: nothing changes them, and a nytprof.out has begun. */
static inline bool nytp_reader_is_plain(const nytp_reader *reader)
{
    return reader->plain && !nytp_reader_is_filtered(reader);
}

/* Adds to the tags that the reader delivers. */
void nytp_reader_add_tags(nytp_reader *reader, uint32_t tags);

/* Returns what has recorded the current profile, such as "Devel::NYTProf 6.12 of nytprof-tools 0.1.0", as far
 * as it was read; empty: not known. */
const char *nytp_reader_collector(const nytp_reader *reader);

/* The attributes unit and memory_of of the current profile, as far as it was read; empty if it has none. */
const char *nytp_reader_unit(const nytp_reader *reader);
const char *nytp_reader_memory_of(const nytp_reader *reader);

/* Returns whether the current profile is made of samples of time, as far as it was read. */
static inline bool nytp_reader_is_sampled(const nytp_reader *reader)
{
    return reader->is_sampled;
}

/* Returns a message about the first attribute memory of the current profile that makes no sense, so that what
 * it is of is one block of an unknown kind; empty if there is none. */
const char *nytp_reader_wrong_memory(const nytp_reader *reader);

/* Returns how many processes of the current profile had been cut when it was merged, as far as it was read.
 */
static inline uint64_t nytp_reader_cut_processes(const nytp_reader *reader)
{
    return reader->cut_processes;
}

static inline uint64_t nytp_reader_offset_of(const nytp_reader *r, const unsigned char *p)
{
    return r->base_offset + (uint64_t)(p - r->base);
}

/* Returns what follows "offset N" in a message, to say which stream the offset is in. */
const char *nytp_reader_stream_name(const nytp_reader *r);

/* Reads more bytes, which moves r->at and r->end. Returns false if there are none: at the end of the source,
 * or after an error, which r->ended then holds. */
bool nytp_reader_refill(nytp_reader *r);

/* Ends reading with the error "FILE: offset N: what", N being the offset of `where`. Returns NYTP_FAILED. */
nytp_decode_result nytp_reader_fail_at(nytp_reader *r, int code, const unsigned char *where,
                                       const char *what);

/* Ends reading because memory could not be allocated. Returns NYTP_FAILED. */
nytp_decode_result nytp_reader_out_of_memory(nytp_reader *r);

/* Returns whether the reader may hold that many bytes of memory. If not, ends reading with an error. */
bool nytp_reader_may_hold(nytp_reader *r, uint64_t bytes);

/* Makes the chunk one of a profile without labels. Returns NYTP_SKIPPED if that would not have it. */
nytp_decode_result nytp_reader_drop_label(nytp_reader *r, nytp_chunk *chunk);

/* Looks for the header of a profile at r->at: the first line of a nytprof.out or a tmon.out. Returns
 * NYTP_DECODED if it is there, NYTP_SKIPPED if not, and NYTP_NEEDS_BYTES if too few bytes are buffered to
 * tell. */
nytp_decode_result nytp_reader_sees_header(const nytp_reader *r);

/* Counts a warning, whose message is "FILE: offset N: why" if it is the first. */
void nytp_reader_warn_at(nytp_reader *r, uint64_t offset, const char *why);

/* Counts a warning about the line at r->at. Returns NYTP_SKIPPED. */
nytp_decode_result nytp_reader_skip_line(nytp_reader *r, const char *why);

/* Decodes the header line of a nytprof.out. */
nytp_decode_result nytp_decode_version(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c);

/* Decodes a line that begins with #, : or !. chunk->tag must be set, and the cursor be after the tag. Applies
 * the attributes that say how to read what follows. */
nytp_decode_result nytp_decode_line(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c);
