/* What comes by the million, statements or returns: many at once, and without a nytp_chunk for each. */
#include "chunks.h"
#include "reader.h"
#include "tags.h"

/* Whether what is at hand are chunks: not before the header was read, nor in a tmon.out. */
static inline bool has_events(const nytp_reader *r)
{
    return r->version != 0 && r->tmon == NULL;
}

/* Takes an event of any length if its tag is one of those. False: it is not, or not whole, or bad. */
static inline bool decode_event(const unsigned char **at, const unsigned char *end, uint32_t tags,
                                nytp_chunk *chunk)
{
    if (*at == end || (nytp_tag_bits[**at] & tags) == 0)
        return false;
    nytp_cursor c = {.at = *at + 1, .end = end};
    chunk->tag = **at;
    nytp_get_event(&c, chunk);
    if (c.bad != NULL || c.at > end)
        return false;
    *at = c.at;
    return true;
}

/* ---- statements ---- */

/* Fills all but executions. Returns how long the statement is; 0: it is not short, or there is none. */
static inline size_t get_short_statement(const unsigned char *at, nytp_statement *statement)
{
    uint64_t bytes;
    size_t size = nytp_short_statement(at, &bytes);
    if (size == 0)
        return 0;
    statement->fid = at[2];
    statement->ticks = at[1];
    statement->line = size == NYTP_SHORT_STATEMENT_MAX ? (at[3] & 0x3Fu) << 8 | at[4] : at[3];
    return size;
}

/* Passes a call, if it has one of those tags. */
static inline bool pass_call(const unsigned char **at, const unsigned char *end, uint32_t tags)
{
    nytp_chunk chunk;
    size_t size = (tags & NYTP_BIT(SUB_RETURN)) != 0 ? nytp_short_return(*at, end) : 0;
    *at += size;
    return size != 0 || decode_event(at, end, tags, &chunk);
}

size_t nytp_reader_statements(nytp_reader *r, nytp_statement *statements, size_t room)
{
    const uint32_t passed_over = NYTP_EVENTS & ~NYTP_TIMES & ~r->wanted;
    const unsigned char *at = r->at, *const end = r->end;
    const unsigned char *discount = NULL; /* one whose statement is still to come: it is taken with that */
    nytp_statement *to = statements, *const to_end = has_events(r) ? statements + room : statements;
    while (to < to_end) {
        nytp_chunk chunk;
        size_t size = end - at >= NYTP_SHORT_STATEMENT_MAX ? get_short_statement(at, to) : 0;
        if (size != 0) {
            at += size;
        } else if (at < end && *at == NYTP_DISCOUNT) {
            discount = discount != NULL ? discount : at;
            at++;
            continue;
        } else if (pass_call(&at, end, passed_over)) {
            continue;
        } else if (decode_event(&at, end, NYTP_TIMES, &chunk)) {
            *to = (nytp_statement){chunk.time.fid, chunk.time.line, chunk.time.ticks, 0};
        } else {
            break;
        }
        to++->executions = discount == NULL;
        discount = NULL;
    }
    r->at = discount != NULL ? discount : at;
    return (size_t)(to - statements);
}

/* ---- returns ---- */

/* Returns how long the return is; 0: it is not short, or there is none. */
static inline size_t get_short_return(const unsigned char *at, const unsigned char *end, nytp_return *to)
{
    size_t size = nytp_short_return(at, end);
    if (size == 0)
        return 0;
    to->name = (nytp_str){(const char *)at + NYTP_RETURN_NAME, size - NYTP_RETURN_NAME, false};
    to->depth = at[NYTP_RETURN_DEPTH];
    memcpy(&to->excl_ticks, at + NYTP_RETURN_EXCL, sizeof to->excl_ticks);
    return size;
}

size_t nytp_reader_returns(nytp_reader *r, nytp_return *returns, size_t room)
{
    const uint32_t passed_over = NYTP_EVENTS & ~r->wanted, plain = NYTP_BIT(TIME_LINE) | NYTP_BIT(DISCOUNT);
    const unsigned char *at = r->at, *const end = r->end;
    nytp_return *to = returns, *const to_end = has_events(r) ? returns + room : returns;
    uint64_t passed = 0;
    while (to < to_end) {
        nytp_chunk chunk;
        if ((passed_over & plain) == plain)
            at = nytp_behind_statements(at, end, &passed);
        size_t size = get_short_return(at, end, to);
        if (size != 0) {
            at += size;
            to++;
        } else if (!decode_event(&at, end, passed_over | NYTP_BIT(SUB_RETURN), &chunk)) {
            break;
        } else if (chunk.tag == NYTP_SUB_RETURN) {
            *to++ = (nytp_return){chunk.sub_return.name, chunk.sub_return.excl_ticks, chunk.sub_return.depth};
        }
    }
    r->at = at;
    return (size_t)(to - returns);
}
