/* Every binary chunk, described once.
 *
 * NYTP_FIELDS_name(OP) applies OP(type, member) to the fields of the chunk in the order of the stream. A type
 * is a primitive of format/primitives.h; the member is one of nytp_chunk. NYTP_BINARY_CHUNKS(CASE) applies
 * CASE(name) to every binary chunk. Reading, writing and measuring are such operations, so they cannot drift
 * apart. With OP = GET, the case of a TIME_LINE below expands to
 *
 *     case NYTP_TIME_LINE:
 *         chunk->time.ticks = nytp_get_i32(c);
 *         chunk->time.fid = nytp_get_u32(c);
 *         chunk->time.line = nytp_get_u32(c);
 *         return true;
 */
#pragma once

#include "format/primitives.h"
#include "format/tags.h"

/* clang-format off */
#define NYTP_FIELDS_PID_START(OP)                                                                   \
    OP(u32, pid_start.pid) OP(u32, pid_start.parent) OP(nv, pid_start.time_s)
#define NYTP_FIELDS_PID_END(OP)                                                                     \
    OP(u32, pid_end.pid) OP(nv, pid_end.time_s)
#define NYTP_FIELDS_NEW_FID(OP)                                                                     \
    OP(u32, new_fid.fid) OP(u32, new_fid.eval_fid) OP(u32, new_fid.eval_line)                       \
    OP(u32, new_fid.flags) OP(u32, new_fid.size) OP(u32, new_fid.mtime) OP(str, new_fid.name)
#define NYTP_FIELDS_TIME_LINE(OP)                                                                   \
    OP(i32, time.ticks) OP(u32, time.fid) OP(u32, time.line)
#define NYTP_FIELDS_TIME_BLOCK(OP)                                                                  \
    NYTP_FIELDS_TIME_LINE(OP) OP(u32, time.block_line) OP(u32, time.sub_line)
#define NYTP_FIELDS_DISCOUNT(OP)
#define NYTP_FIELDS_SUB_ENTRY(OP)                                                                   \
    OP(u32, sub_entry.fid) OP(u32, sub_entry.line) OP(absent, sub_entry.name)
#define NYTP_FIELDS_SUB_RETURN(OP)                                                                  \
    OP(u32, sub_return.depth) OP(nv, sub_return.incl_ticks) OP(nv, sub_return.excl_ticks)           \
    OP(str, sub_return.name)
#define NYTP_FIELDS_SUB_INFO(OP)                                                                    \
    OP(u32, sub_info.fid) OP(str, sub_info.name) OP(u32, sub_info.first_line)                       \
    OP(u32, sub_info.last_line)
#define NYTP_FIELDS_SUB_CALLERS(OP)                                                                 \
    OP(u32, sub_callers.fid) OP(u32, sub_callers.line) OP(str, sub_callers.caller)                  \
    OP(u32, sub_callers.count) OP(nv, sub_callers.incl_s) OP(nv, sub_callers.excl_s)                \
    OP(nv, sub_callers.reci_s) OP(u32, sub_callers.max_depth) OP(str, sub_callers.called)
#define NYTP_FIELDS_SRC_LINE(OP)                                                                    \
    OP(u32, src_line.fid) OP(u32, src_line.line) OP(str, src_line.text)
#define NYTP_FIELDS_COVER_UNIT(OP)                                                                  \
    OP(u32, cover_unit.unit) OP(u32, cover_unit.fid) OP(u32, cover_unit.line)                       \
    OP(u32, cover_unit.kind) OP(u32, cover_unit.twin) OP(str, cover_unit.name)                      \
    OP(u32, cover_unit.points) OP(str, cover_unit.list)
#define NYTP_FIELDS_COVER_HIT(OP)                                                                   \
    OP(u32, cover_hit.unit) OP(u32, cover_hit.point) OP(u32, cover_hit.outcomes)

/* First the chunks that come once for every statement or call: those of NYTP_EVENTS. */
#define NYTP_EVENT_CHUNKS(CASE)                                                                     \
    CASE(TIME_LINE) CASE(SUB_RETURN) CASE(TIME_BLOCK) CASE(SUB_ENTRY) CASE(DISCOUNT)
#define NYTP_BINARY_CHUNKS(CASE)                                                                    \
    NYTP_EVENT_CHUNKS(CASE)                                                                         \
    CASE(PID_START) CASE(PID_END) CASE(NEW_FID) CASE(SUB_INFO) CASE(SUB_CALLERS) CASE(SRC_LINE) \
    CASE(COVER_UNIT) CASE(COVER_HIT)
/* clang-format on */

#define CASE(name) | NYTP_BIT(name)
_Static_assert((0 NYTP_EVENT_CHUNKS(CASE)) == NYTP_EVENTS, "both lists of event chunks must have the same");
#undef CASE

/* As large as the largest chunk without the contents of strings: one byte for the tag, then the fields. */
union nytp_fixed_parts {
#define ADD_MAX(type, member) +NYTP_MAX_##type
#define CASE(name)            unsigned char name[1 NYTP_FIELDS_##name(ADD_MAX)];
    NYTP_BINARY_CHUNKS(CASE)
#undef CASE
#undef ADD_MAX
};
enum { NYTP_FIXED_MAX = sizeof(union nytp_fixed_parts) };
_Static_assert((int)NYTP_FIXED_MAX < (int)NYTP_PAD, "the fixed part of a chunk must fit in the padding");

#define GET(type, member) chunk->member = nytp_get_##type(c);

/* Reads the fields after the tag byte into chunk, whose tag is set. Returns false if no binary chunk has that
 * tag. */
static inline bool nytp_get_fields(nytp_cursor *c, nytp_chunk *chunk)
{
    switch (chunk->tag) {
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(GET) return true;
        NYTP_BINARY_CHUNKS(CASE)
#undef CASE
    default: return false;
    }
}

/* Like nytp_get_fields(), for a chunk that is known to be an event: a statement, a call or a DISCOUNT. */
__attribute__((always_inline)) static inline void nytp_get_event(nytp_cursor *c, nytp_chunk *chunk)
{
    switch ((int)chunk->tag) {
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(GET) break;
        NYTP_EVENT_CHUNKS(CASE)
#undef CASE
    }
}
#undef GET

/* Writes the fields after the tag byte. Returns the end of the chunk; NULL if it is not a binary chunk. */
static inline unsigned char *nytp_put_fields(unsigned char *p, const nytp_chunk *chunk)
{
    switch (chunk->tag) {
#define PUT(type, member) p = nytp_put_##type(p, chunk->member);
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(PUT) return p;
        NYTP_BINARY_CHUNKS(CASE)
#undef CASE
#undef PUT
    default: return NULL;
    }
}

/* Returns a number of bytes that the whole chunk fits in; 0 if a string is longer than readers accept. */
static inline size_t nytp_chunk_capacity(const nytp_chunk *chunk)
{
    size_t size = NYTP_FIXED_MAX, length;
    switch (chunk->tag) {
#define MEASURE(type, member)                                                                                \
    if ((length = nytp_content_##type(chunk->member)) > NYTP_STR_LONGEST)                                    \
        return 0;                                                                                            \
    size += length;
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(MEASURE) break;
        NYTP_BINARY_CHUNKS(CASE) /* NOLINT(bugprone-branch-clone): the chunks without strings */
#undef CASE
#undef MEASURE
    default: break;
    }
    return size;
}
