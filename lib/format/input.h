/* The input of a reader: bytes that are buffered and not yet decoded. The decoders work on it: text.c,
 * dprof/, reader.c, and the fast paths in runs.h and relay.c. */
#ifndef NYTP_FORMAT_INPUT_H
#define NYTP_FORMAT_INPUT_H

#include "base/pids.h"
#include "bytes/inflate.h"

#define NYTP_NOT_A_PROFILE "not a Perl profile: expected \"NYTProf 5 0\" or \"#fOrTyTwO\""

/* What a decoder did. */
typedef enum nytp_progress {
    NYTP_DECODED,     /* it filled the chunk */
    NYTP_SKIPPED,     /* it passed input that makes no chunk; it counted a warning if that makes no sense */
    NYTP_NEEDS_BYTES, /* the chunk is longer than what is buffered */
    NYTP_FAILED       /* error and ended are set */
} nytp_progress;

struct nytp_reader {
    nytp_source *source;
    unsigned char *buffer; /* capacity + NYTP_PAD bytes */
    size_t capacity;
    const unsigned char *base; /* what at and end point into: buffer, or bytes that the source lent */
    /* The bytes that are buffered and not yet decoded are those from at to end; NYTP_PAD zeros follow. at and
     * end are kept apart on purpose: gcc loads neighbours with one vector load, which cannot be forwarded
     * from the recent store to at and stalls until that has left the store buffer (a store-forwarding stall).
     */
    const unsigned char *at;
    uint64_t base_offset; /* of base, in the chunk stream */
    const unsigned char *end;
    uint32_t wanted;  /* tags, as bits */
    int ended;        /* NYTP_OK while reading; then what nytp_reader_next() returns */
    uint32_t version; /* major; 0 before the header */
    bool inflating;
    bool seen_process; /* there was a PID_START */
    bool at_header;    /* reading ended at the header of another profile, which is at r->at */
    enum nytp_threads threads;
    enum nytp_inflate_with inflate_with;
    nytp_pids open_pids;
    double ticks_per_sec;
    uint64_t chunks;
    uint32_t warnings;
    char first_warning[256];
    uint64_t limit_base_bytes; /* see nytp_reader_set_memory(); 0: no limit */
    uint32_t limit_bytes_per_byte;
    nytp_error error;
    struct nytp_tmon *tmon; /* NULL: the profile is a nytprof.out */
    nytp_dprof_options dprof;
};

static inline uint64_t nytp_reader_offset_of(const nytp_reader *r, const unsigned char *p)
{
    return r->base_offset + (uint64_t)(p - r->base);
}

/* Returns what follows "offset N" in a message, to say which stream the offset is in. */
const char *nytp_reader_stream_name(const nytp_reader *r);

/* Gets more bytes, so that r->end moves. Returns false if there are none: at the end of the source, or after
 * an error, which r->ended then holds. */
bool nytp_reader_refill(nytp_reader *r);

/* Ends reading with the error "FILE: offset N: what", N being the offset of where. Returns NYTP_FAILED. */
nytp_progress nytp_reader_fail_at(nytp_reader *r, int code, const unsigned char *where, const char *what);

/* Returns whether the limit on memory lets the reader hold that many bytes. If not, r->ended says so. */
bool nytp_reader_may_hold(nytp_reader *r, uint64_t bytes);

/* Returns NYTP_DECODED if the header of a profile begins at r->at: a line that a nytprof.out or a tmon.out
 * begins with. NYTP_SKIPPED: it does not; NYTP_NEEDS_BYTES: too few bytes are buffered. */
nytp_progress nytp_reader_sees_header(const nytp_reader *r);

/* Counts a warning about the line at r->at. Returns NYTP_SKIPPED. */
nytp_progress nytp_reader_skip_line(nytp_reader *r, const char *why);

#endif
