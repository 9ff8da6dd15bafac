/* The fast path for the frequent chunks: nytp_read_events() decodes all statements and returns, or only one
 * of the two kinds, that the reader has buffered in a row, in place and without filling a nytp_chunk for
 * each. It stops at anything else. The caller must then call nytp_reader_next(): for that chunk, for more
 * bytes, or for the end.
 *
 * The callbacks are inlined, so a decoded statement stays in registers.
 */
#pragma once

#include "format/chunks.h"
#include "format/fastpath.h"
#include "format/reader.h"
#include "format/statement.h"
#include "format/tags.h"

/* A line of a file; both are 0 if it is not known. */
typedef struct nytp_place {
    uint32_t fid, line;
} nytp_place;

/* A SUB_RETURN. The name is valid only during the callback. */
typedef struct nytp_return {
    nytp_str name;
    double incl_ticks, excl_ticks;
    uint32_t depth;
    /* Chunks do not have these; filters do. */
    struct nytp_known_sub *sub; /* that of the name (events/known_subs.h); NULL without filters */
    bool is_part;               /* the call goes on: these are the times of a part of it */
    uint64_t request;           /* of which it is a part (events/requests.h); 0: of none */
    nytp_place place;           /* where it was called */
    nytp_place as_xsub;         /* the same if the sub is an xsub, in case that is not known yet */
} nytp_return;

typedef void nytp_on_statement_fn(void *context, nytp_statement statement);
typedef void nytp_on_return_fn(void *context, const nytp_return *returned);

/* Takes statements from `at` on that need not be decoded, adds the number of chunks to *count, and returns
 * where it stopped; NULL if the run is to end at `at`. */
typedef const unsigned char *nytp_skip_fn(void *context, const unsigned char *at, const unsigned char *end,
                                          uint64_t *count);

/* Returns whether there may be statements or returns to decode, as they are in the stream: as many bytes are
 * buffered as a short statement has. */
static inline bool nytp_has_unfiltered_runs(const nytp_reader *r)
{
    return r->plain && r->end - r->at >= NYTP_SHORT_STATEMENT_MAX;
}

/* Like nytp_has_unfiltered_runs(), of what the reader delivers. */
static inline bool nytp_has_runs(const nytp_reader *r)
{
    return nytp_reader_is_plain(r) && nytp_has_unfiltered_runs(r);
}

/* Decodes the event at `at`, of any size, into chunk. Returns its end; NULL if its tag is not in tags, or if
 * it is incomplete or invalid. */
const unsigned char *nytp_run_event(const unsigned char *at, const unsigned char *end, uint32_t tags,
                                    nytp_chunk *chunk);

/* Decodes a short statement; size is what nytp_short_statement() returned for it. */
static inline nytp_statement nytp_get_short_statement(const unsigned char *at, size_t size,
                                                      uint32_t executions)
{
    uint32_t line = size == NYTP_SHORT_STATEMENT_MAX ? (at[3] & 0x3Fu) << 8 | at[4] : at[3];
    return (nytp_statement){at[2], line, at[1], executions, false, 0, 0};
}

/* Returns the size of the short statement at `at`; 0 if it is something else, or begins after `last`. */
static inline size_t nytp_short_rest(const unsigned char *at, const unsigned char *last)
{
    uint64_t bytes;
    return at <= last ? nytp_short_statement(at, &bytes) : 0;
}

/* Decodes a short return; size is what nytp_short_return() returned for it. */
static inline nytp_return nytp_get_short_return(const unsigned char *at, size_t size)
{
    nytp_return returned = {.name = {(const char *)at + NYTP_RETURN_NAME, size - NYTP_RETURN_NAME, false},
                            .depth = at[NYTP_RETURN_DEPTH]};
    memcpy(&returned.incl_ticks, at + NYTP_RETURN_INCL, sizeof returned.incl_ticks);
    memcpy(&returned.excl_ticks, at + NYTP_RETURN_EXCL, sizeof returned.excl_ticks);
    return returned;
}

static inline nytp_return nytp_get_return(const nytp_chunk *chunk)
{
    return (nytp_return){.name = chunk->sub_return.name,
                         .incl_ticks = chunk->sub_return.incl_ticks,
                         .excl_ticks = chunk->sub_return.excl_ticks,
                         .depth = chunk->sub_return.depth};
}

/* Decodes a TIME_BLOCK of small numbers into *statement, without its executions. Returns its end; NULL if it
 * is something else or may not be complete. */
static inline const unsigned char *nytp_get_short_block(const unsigned char *at, const unsigned char *end,
                                                        nytp_statement *statement)
{
    if (end - at < NYTP_SHORT_BLOCK_MAX || *at != NYTP_TIME_BLOCK || ((at[1] | at[2]) & 0x80) != 0)
        return NULL;
    statement->ticks = at[1];
    statement->fid = at[2];
    statement->has_block = true;
    at += 3;
    return nytp_short_number(&at, &statement->line) && nytp_short_number(&at, &statement->block_line) &&
                   nytp_short_number(&at, &statement->sub_line)
               ? at
               : NULL;
}

/* Decodes consecutive short statements, each perhaps after a DISCOUNT, the first at `at`, that begin at
 * `last` or before. Returns where it stopped, and adds the number of chunks to *count. on_statement may be
 * NULL. Each of the two sizes has its own branch, so that the processor predicts the size and starts on the
 * next statement early. */
__attribute__((always_inline)) static inline const unsigned char *
nytp_read_short_statements(const unsigned char *at, const unsigned char *last, uint64_t *count,
                           nytp_on_statement_fn *on_statement, void *context)
{
    enum { LONGER = NYTP_SHORT_STATEMENT_MAX, SHORTER = LONGER - 1 };
    uint64_t bytes;
    while (at <= last) {
        size_t size = nytp_short_statement(at, &bytes);
        if (size == LONGER) {
            if (on_statement != NULL)
                on_statement(context, nytp_get_short_statement(at, LONGER, 1));
            at += LONGER;
        } else if (size == SHORTER) {
            if (on_statement != NULL)
                on_statement(context, nytp_get_short_statement(at, SHORTER, 1));
            at += SHORTER;
        } else if (*at == NYTP_DISCOUNT && on_statement == NULL) {
            at++;
        } else if (*at == NYTP_DISCOUNT && at < last && (size = nytp_short_statement(at + 1, &bytes)) != 0) {
            on_statement(context, nytp_get_short_statement(at + 1, size, 0));
            at += 1 + size;
            ++*count;
        } else {
            break;
        }
        ++*count;
    }
    return at;
}

/* nytp_reader_next_unfiltered() for the events that a run ends at. Returns false if none of them comes next
 * and is buffered, which it leaves to that function. */
static inline bool nytp_next_event(nytp_reader *r, nytp_chunk *chunk)
{
    const uint32_t tags = (NYTP_BIT(DISCOUNT) | NYTP_BIT(SUB_ENTRY)) & r->wanted;
    const unsigned char *end =
        nytp_has_unfiltered_runs(r) ? nytp_run_event(r->at, r->end, tags, chunk) : NULL;
    if (end == NULL)
        return false;
    chunk->offset = nytp_reader_offset_of(r, r->at);
    r->at = end;
    r->chunks++;
    return true;
}

/* nytp_read_events() without the filters of the reader. skip_some, which may be NULL, is asked first. The
 * compiler leaves out what a function that is NULL does not need. */
__attribute__((always_inline)) static inline size_t
nytp_read_unfiltered_events(nytp_reader *r, nytp_skip_fn *skip_some, nytp_on_statement_fn *on_statement,
                            nytp_on_return_fn *on_return, void *context)
{
    if (!nytp_has_unfiltered_runs(r))
        return 0;
    const uint32_t unwanted = NYTP_EVENTS & ~r->wanted, plain = NYTP_BIT(TIME_LINE) | NYTP_BIT(DISCOUNT);
    const bool has_short = on_statement != NULL || (unwanted & plain) == plain;
    const bool passes_returns =
        on_return != NULL && r->dropped == NULL && (unwanted & NYTP_BIT(SUB_RETURN)) == 0;
    const uint32_t decoded =
        (on_statement != NULL ? (unwanted & ~NYTP_BIT(DISCOUNT)) | NYTP_TIMES : unwanted) |
        (passes_returns ? NYTP_BIT(SUB_RETURN) : 0);
    const unsigned char *const end = r->end, *const last = end - NYTP_SHORT_STATEMENT_MAX;
    const unsigned char *const from = r->at, *at = from, *next = from;
    uint64_t count = 0;
    for (; next != NULL; count++) {
        nytp_chunk chunk;
        nytp_statement s;
        size_t size;
        const unsigned char *skipped = skip_some != NULL ? skip_some(context, next, end, &count) : next;
        at = next;
        if (skipped == NULL) {
            next = NULL;
            continue;
        }
        at = has_short ? nytp_read_short_statements(skipped, last, &count, on_statement, context) : skipped;
        const bool is_discount = on_statement != NULL && *at == NYTP_DISCOUNT;
        size_t rest = 0; /* of a statement whose DISCOUNT comes before a return, as `return f()` has it */
        if ((decoded & NYTP_BIT(SUB_RETURN)) != 0 && (size = nytp_short_return(at + is_discount, end)) != 0 &&
            (!is_discount || (rest = nytp_short_rest(at + 1 + size, last)) != 0)) {
            if (passes_returns) {
                const nytp_return returned = nytp_get_short_return(at + is_discount, size);
                on_return(context, &returned);
            }
            next = at + is_discount + size + rest;
            if (is_discount)
                on_statement(context, nytp_get_short_statement(next - rest, rest, 0));
            count += is_discount * 2;
        } else if (on_statement != NULL && (next = nytp_get_short_block(at + is_discount, end, &s)) != NULL) {
            s.executions = !is_discount;
            on_statement(context, s);
            count += is_discount;
        } else {
            next = nytp_run_event(at + is_discount, end, is_discount ? NYTP_TIMES : decoded, &chunk);
            if (next != NULL && (nytp_tag_bits[chunk.tag] & NYTP_TIMES) != 0) {
                if (on_statement != NULL)
                    on_statement(context, nytp_get_statement(&chunk, !is_discount));
                count += is_discount;
            } else if (next != NULL && chunk.tag == NYTP_SUB_RETURN && passes_returns) {
                const nytp_return returned = nytp_get_return(&chunk);
                on_return(context, &returned);
            }
        }
    }
    r->at = at;
    r->chunks += count - 1; /* the last round decoded none */
    return (size_t)(at - from);
}

/* Passes statements to on_statement and returns to on_return, in their order, and skips other events that are
 * not wanted. Either function may be NULL. What is passed must be wanted. If statements are, so must be
 * DISCOUNT, since nytp_reader_next() delivers a DISCOUNT whose statement is not buffered, and then has to
 * deliver the statement, too. Stops at returns if labels are left out of their names, and decodes nothing if
 * the reader has filters. Returns the number of bytes decoded. */
__attribute__((always_inline)) static inline size_t nytp_read_events(nytp_reader *r,
                                                                     nytp_on_statement_fn *on_statement,
                                                                     nytp_on_return_fn *on_return,
                                                                     void *context)
{
    return nytp_has_runs(r) ? nytp_read_unfiltered_events(r, NULL, on_statement, on_return, context) : 0;
}
