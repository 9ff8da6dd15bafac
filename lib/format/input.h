/* The input of a reader, on which the decoders work: text.c, dprof/, reader.c, and the fast paths runs.h and
 * relay.c. */
#ifndef NYTP_FORMAT_INPUT_H
#define NYTP_FORMAT_INPUT_H

#include "base/pids.h"
#include "bytes/inflate.h"

#define NYTP_NO_PROFILE "not a Perl profile: expected \"NYTProf 5 0\" or \"#fOrTyTwO\""

/* What came of decoding. */
enum progress {
    WHOLE,   /* a chunk */
    SKIPPED, /* no chunk: a line was passed over, with a warning if it makes no sense */
    SHORT,   /* the buffer ends before the chunk does */
    FAILED   /* error and ended are set */
};

struct nytp_reader {
    nytp_source *source;
    unsigned char *buffer; /* room + NYTP_PAD bytes */
    size_t room;
    const unsigned char *base; /* what at and end point into: buffer, or what the source lent */
    /* What is at hand and not yet decoded is from at to end; NYTP_PAD zeros follow. The two are not
     * neighbours: gcc would load them as one vector, which has to wait until the last store of at has left
     * the core. */
    const unsigned char *at;
    uint64_t base_offset; /* of base in the chunk stream */
    const unsigned char *end;
    uint32_t wanted;  /* bits of tags */
    int ended;        /* NYTP_OK while running, then what nytp_reader_next() returns */
    uint32_t version; /* major; 0 before the header */
    bool inflating;
    bool seen_process; /* a PID_START */
    enum nytp_threads threads;
    enum nytp_inflate_with inflate_with;
    nytp_pids open_pids;
    double ticks_per_sec;
    uint64_t chunks;
    uint32_t warnings;
    char first_warning[256];
    uint64_t most_base_bytes; /* 0: there is no bound */
    uint32_t most_bytes_per_byte;
    nytp_error error;
    struct nytp_tmon *tmon; /* NULL: it is a nytprof.out */
    nytp_dprof_options dprof;
};

static inline uint64_t nytp_reader_offset_of(const nytp_reader *r, const unsigned char *p)
{
    return r->base_offset + (uint64_t)(p - r->base);
}

/* What to call the stream after "offset N" in a message. */
const char *nytp_reader_stream_name(const nytp_reader *r);

/* Gets more bytes to r->end. False: there are no more, or r->ended says what went wrong. */
bool nytp_reader_refill(nytp_reader *r);

/* Ends the reading with "FILE: offset N: what"; where is the byte that is wrong. Returns FAILED. */
enum progress nytp_reader_fail_at(nytp_reader *r, int code, const unsigned char *where, const char *what);

/* Whether the bound on memory lets the reader hold so many bytes. False: r->ended says that it does not. */
bool nytp_reader_may_hold(nytp_reader *r, uint64_t bytes);

/* Counts a warning about the line at r->at. Returns SKIPPED. */
enum progress nytp_reader_skip_line(nytp_reader *r, const char *why);

#endif
