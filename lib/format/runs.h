/* What comes by the million, statements or returns, taken where it lies: all that a reader has at hand, up to
 * something else, and without a nytp_chunk for each. Then nytp_reader_next() has to be asked: for that, for
 * more bytes, or for the end. take is inlined: nothing is stored on the way to it.
 */
#ifndef NYTP_RUNS_H
#define NYTP_RUNS_H

#include "format/chunks.h"
#include "format/input.h"
#include "format/tags.h"

/* A TIME_LINE or TIME_BLOCK, with the DISCOUNT before it if there was one. */
typedef struct nytp_statement {
    uint32_t fid, line;
    int32_t ticks;
    uint32_t executions; /* 1; 0: it had a DISCOUNT, going on after a call, and was counted before */
} nytp_statement;

/* A SUB_RETURN, but for its inclusive time. The name is not valid for longer than take runs. */
typedef struct nytp_return {
    nytp_str name;
    double excl_ticks;
    uint32_t depth;
} nytp_return;

typedef void nytp_take_statement_fn(void *context, nytp_statement statement);
typedef void nytp_take_return_fn(void *context, const nytp_return *returned);

/* Whether what is at hand are chunks, not before the header was read, nor in a tmon.out, and enough of them.
 */
static inline bool nytp_has_runs(const nytp_reader *r)
{
    return r->version != 0 && r->tmon == NULL && r->end - r->at >= NYTP_SHORT_STATEMENT_MAX;
}

/* Decodes an event of any length, if it has one of those tags. Returns where it ends; NULL: it is none, or
 * not whole, or bad. */
const unsigned char *nytp_run_event(const unsigned char *at, const unsigned char *end, uint32_t tags,
                                    nytp_chunk *chunk);

/* size: what nytp_short_statement() tells. */
static inline nytp_statement nytp_get_short_statement(const unsigned char *at, size_t size,
                                                      uint32_t executions)
{
    uint32_t line = size == NYTP_SHORT_STATEMENT_MAX ? (at[3] & 0x3Fu) << 8 | at[4] : at[3];
    return (nytp_statement){at[2], line, at[1], executions};
}

/* Takes short statements from at on that begin at last or before. Returns where it stopped. The two sizes are
 * two ways through the loop: which one it is, a processor guesses, and goes on with the next statement before
 * it knows. */
__attribute__((always_inline)) static inline const unsigned char *
nytp_take_short_statements(const unsigned char *at, const unsigned char *last, nytp_take_statement_fn *take,
                           void *context)
{
    enum { LONGER = NYTP_SHORT_STATEMENT_MAX, SHORTER = LONGER - 1 };
    uint64_t bytes;
    while (at <= last) {
        size_t size = nytp_short_statement(at, &bytes);
        if (size == LONGER) {
            take(context, nytp_get_short_statement(at, LONGER, 1));
            at += LONGER;
        } else if (size == SHORTER) {
            take(context, nytp_get_short_statement(at, SHORTER, 1));
            at += SHORTER;
        } else {
            break;
        }
    }
    return at;
}

/* Gives statements to take, and passes over calls unless they are wanted. TIME chunks and DISCOUNT must be
 * wanted: nytp_reader_next() gives a DISCOUNT with something unusual behind it, and has to give what that is
 * for, too. Returns how many bytes were taken. */
__attribute__((always_inline)) static inline size_t
nytp_take_statements(nytp_reader *r, nytp_take_statement_fn *take, void *context)
{
    const uint32_t passed_over = NYTP_EVENTS & ~NYTP_TIMES & ~NYTP_BIT(DISCOUNT) & ~r->wanted;
    if (!nytp_has_runs(r))
        return 0;
    const unsigned char *const end = r->end, *const last = end - NYTP_SHORT_STATEMENT_MAX;
    const unsigned char *const from = r->at, *at = from, *next = from;
    while (next != NULL) {
        nytp_chunk chunk;
        uint64_t bytes;
        size_t size;
        at = nytp_take_short_statements(next, last, take, context);
        if ((passed_over & NYTP_BIT(SUB_RETURN)) != 0 && (size = nytp_short_return(at, end)) != 0) {
            next = at + size;
        } else if (at < last && *at == NYTP_DISCOUNT && (size = nytp_short_statement(at + 1, &bytes)) != 0) {
            take(context, nytp_get_short_statement(at + 1, size, 0));
            next = at + 1 + size;
        } else {
            next = nytp_run_event(at, end, NYTP_TIMES | passed_over, &chunk);
            if (next != NULL && (nytp_tag_bits[chunk.tag] & NYTP_TIMES) != 0)
                take(context, (nytp_statement){chunk.time.fid, chunk.time.line, chunk.time.ticks, 1});
        }
    }
    r->at = at;
    return (size_t)(at - from);
}

/* The same for returns: passes over statements and SUB_ENTRY unless they are wanted; SUB_RETURN must be. */
__attribute__((always_inline)) static inline void nytp_take_returns(nytp_reader *r, nytp_take_return_fn *take,
                                                                    void *context)
{
    const uint32_t passed_over = NYTP_EVENTS & ~NYTP_BIT(SUB_RETURN) & ~r->wanted;
    const uint32_t plain = NYTP_BIT(TIME_LINE) | NYTP_BIT(DISCOUNT);
    if (!nytp_has_runs(r))
        return;
    const unsigned char *const end = r->end, *at = r->at, *next = at;
    uint64_t passed = 0;
    while (next != NULL) {
        nytp_chunk chunk;
        at = (passed_over & plain) == plain ? nytp_behind_statements(next, end, &passed) : next;
        size_t size = nytp_short_return(at, end);
        if (size != 0) {
            nytp_return returned = {
                .name = {(const char *)at + NYTP_RETURN_NAME, size - NYTP_RETURN_NAME, false},
                .depth = at[NYTP_RETURN_DEPTH]};
            memcpy(&returned.excl_ticks, at + NYTP_RETURN_EXCL, sizeof returned.excl_ticks);
            take(context, &returned);
            next = at + size;
        } else {
            next = nytp_run_event(at, end, passed_over | NYTP_BIT(SUB_RETURN), &chunk);
            if (next != NULL && chunk.tag == NYTP_SUB_RETURN)
                take(context, &(nytp_return){chunk.sub_return.name, chunk.sub_return.excl_ticks,
                                             chunk.sub_return.depth});
        }
    }
    r->at = at;
}

#endif
