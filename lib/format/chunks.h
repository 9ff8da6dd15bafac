/* Every binary chunk, described once: NAME_FIELDS(OP) applies OP to the fields of the chunk NAME in the order
 * of the stream. Reading (GET), writing (PUT) and measuring (MEASURE) are such operations, so they cannot
 * drift apart. Each is a family of macros that take a field of nytp_chunk: OP_u32, OP_i32, OP_nv and OP_str
 * by its type in the stream, and OP_absent for a string that the stream does not have.
 */
#ifndef NYTP_CHUNKS_H
#define NYTP_CHUNKS_H

#include "format/primitives.h"

#include <endian.h>

/* clang-format off */
#define PID_START_FIELDS(OP) OP##_u32(pid_start.pid) OP##_u32(pid_start.parent) OP##_nv(pid_start.time_s)
#define PID_END_FIELDS(OP) OP##_u32(pid_end.pid) OP##_nv(pid_end.time_s)
#define NEW_FID_FIELDS(OP)                                                                          \
    OP##_u32(new_fid.fid) OP##_u32(new_fid.eval_fid) OP##_u32(new_fid.eval_line)                    \
    OP##_u32(new_fid.flags) OP##_u32(new_fid.size) OP##_u32(new_fid.mtime) OP##_str(new_fid.name)
#define TIME_LINE_FIELDS(OP) OP##_i32(time.ticks) OP##_u32(time.fid) OP##_u32(time.line)
#define TIME_BLOCK_FIELDS(OP) TIME_LINE_FIELDS(OP) OP##_u32(time.block_line) OP##_u32(time.sub_line)
#define SUB_ENTRY_FIELDS(OP) OP##_u32(sub_entry.fid) OP##_u32(sub_entry.line) OP##_absent(sub_entry.name)
#define SUB_RETURN_FIELDS(OP)                                                                       \
    OP##_u32(sub_return.depth) OP##_nv(sub_return.incl_ticks) OP##_nv(sub_return.excl_ticks)        \
    OP##_str(sub_return.name)
#define SUB_INFO_FIELDS(OP)                                                                         \
    OP##_u32(sub_info.fid) OP##_str(sub_info.name) OP##_u32(sub_info.first_line)                    \
    OP##_u32(sub_info.last_line)
#define SUB_CALLERS_FIELDS(OP)                                                                      \
    OP##_u32(sub_callers.fid) OP##_u32(sub_callers.line) OP##_str(sub_callers.caller)               \
    OP##_u32(sub_callers.count) OP##_nv(sub_callers.incl_s) OP##_nv(sub_callers.excl_s)             \
    OP##_nv(sub_callers.reci_s) OP##_u32(sub_callers.max_depth) OP##_str(sub_callers.called)
#define SRC_LINE_FIELDS(OP) OP##_u32(src_line.fid) OP##_u32(src_line.line) OP##_str(src_line.text)

/* The binary chunks, as cases of a switch over the tag; first those that come once for every statement or call.
 * (DISCOUNT, which has no fields, is none of them.) */
#define EVENT_CHUNKS(CASE)                                                                          \
    CASE(TIME_LINE) CASE(SUB_RETURN) CASE(TIME_BLOCK) CASE(SUB_ENTRY)
#define BINARY_CHUNKS(CASE)                                                                         \
    EVENT_CHUNKS(CASE)                                                                              \
    CASE(PID_START) CASE(PID_END) CASE(NEW_FID) CASE(SUB_INFO) CASE(SUB_CALLERS) CASE(SRC_LINE)

#define GET_u32(field) chunk->field = nytp_get_u32(c);
#define GET_i32(field) chunk->field = nytp_get_i32(c);
#define GET_nv(field) chunk->field = nytp_get_nv(c);
#define GET_str(field) chunk->field = nytp_get_str(c);
#define GET_absent(field) chunk->field = (nytp_str){NULL, 0, false};

#define PUT_u32(field) p = nytp_put_u32(p, chunk->field);
#define PUT_i32(field) p = nytp_put_i32(p, chunk->field);
#define PUT_nv(field) p = nytp_put_nv(p, chunk->field);
#define PUT_str(field) p = nytp_put_str(p, chunk->field);
#define PUT_absent(field)

#define MEASURE_u32(field)
#define MEASURE_i32(field)
#define MEASURE_nv(field)
#define MEASURE_absent(field)
#define MEASURE_str(field)                                                                          \
    if (chunk->field.length > NYTP_STR_LONGEST) return 0;                                           \
    size += chunk->field.length;

/* Reads the fields behind the tag byte into chunk, whose tag is set. False: no binary chunk has that tag. */
static inline bool nytp_get_fields(nytp_cursor *c, nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_DISCOUNT:
        return true;
#define CASE(name) case NYTP_##name: name##_FIELDS(GET) return true;
    BINARY_CHUNKS(CASE)
#undef CASE
    default:
        return false;
    }
}

/* The same for the chunks that come once for every statement or call; any other has no fields, as a DISCOUNT. */
__attribute__((always_inline)) static inline void nytp_get_event(nytp_cursor *c, nytp_chunk *chunk)
{
    switch (chunk->tag) {
#define CASE(name) case NYTP_##name: name##_FIELDS(GET) return;
    EVENT_CHUNKS(CASE)
#undef CASE
    default:
        return;
    }
}

/* Writes the fields behind the tag byte; returns where the chunk ends, NULL for no binary chunk. */
static inline unsigned char *nytp_put_fields(unsigned char *p, const nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_DISCOUNT:
        return p;
#define CASE(name) case NYTP_##name: name##_FIELDS(PUT) return p;
    BINARY_CHUNKS(CASE)
#undef CASE
    default:
        return NULL;
    }
}

/* So many bytes are enough for the whole chunk. 0: a string is longer than a reader takes. */
static inline size_t nytp_chunk_room(const nytp_chunk *chunk)
{
    size_t size = NYTP_FIXED_MAX;
    switch (chunk->tag) {
#define CASE(name) case NYTP_##name: name##_FIELDS(MEASURE) break;
    BINARY_CHUNKS(CASE) /* NOLINT(bugprone-branch-clone): those without strings */
#undef CASE
    default:
        break;
    }
    return size;
}

/* clang-format on */

enum { NYTP_SHORT_STATEMENT_MAX = 5 };

/* Nine of ten statements are short: a TIME_LINE with ticks and fid of one byte, and a line of one or two.
 * Tells with one comparison how many bytes such a one has with its tag; 0: it is something else. *bytes:
 * eight of them, the first one lowest. */
static inline size_t nytp_short_statement(const unsigned char *at, uint64_t *bytes)
{
    memcpy(bytes, at, sizeof *bytes);
    *bytes = le64toh(*bytes);
    uint32_t kind = (uint32_t)*bytes & 0xC08080FF; /* the bits that tell lengths */
    if (kind == (0x80000000 | NYTP_TIME_LINE))
        return NYTP_SHORT_STATEMENT_MAX;
    return (kind & 0x808080FF) == NYTP_TIME_LINE ? 4 : 0;
}

/* Passes short statements and DISCOUNTs from at on, and adds their number to *count. Returns where it
 * stopped. */
static inline const unsigned char *nytp_behind_statements(const unsigned char *at, const unsigned char *end,
                                                          uint64_t *count)
{
    uint64_t bytes;
    if (end - at < NYTP_SHORT_STATEMENT_MAX)
        return at;
    for (const unsigned char *const last = end - NYTP_SHORT_STATEMENT_MAX; at <= last; ++*count) {
        size_t size = nytp_short_statement(at, &bytes);
        if (size == NYTP_SHORT_STATEMENT_MAX)
            at += NYTP_SHORT_STATEMENT_MAX;
        else if (size != 0)
            at += NYTP_SHORT_STATEMENT_MAX - 1;
        else if (*at == NYTP_DISCOUNT)
            at++;
        else
            break;
    }
    return at;
}

/* Where a SUB_RETURN keeps what, if it is short: its depth and the length of its name are of one byte, and
 * the name is no UTF-8. */
enum {
    NYTP_RETURN_DEPTH = 1,
    NYTP_RETURN_EXCL = 2 + NYTP_NV_SIZE,
    NYTP_RETURN_QUOTE = 2 + 2 * NYTP_NV_SIZE,
    NYTP_RETURN_LENGTH,
    NYTP_RETURN_NAME
};

/* The size of a short return that is whole; 0: it is something else. at may be end: padding follows. */
static inline size_t nytp_short_return(const unsigned char *at, const unsigned char *end)
{
    if (at[0] != NYTP_SUB_RETURN || at[NYTP_RETURN_DEPTH] >= 0x80 || at[NYTP_RETURN_QUOTE] != '\'' ||
        at[NYTP_RETURN_LENGTH] >= 0x80)
        return 0;
    size_t size = NYTP_RETURN_NAME + (size_t)at[NYTP_RETURN_LENGTH];
    return at + size <= end ? size : 0;
}

#endif
