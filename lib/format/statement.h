/* A statement, however it was decoded. */
#pragma once

#include "nytprof.h"

/* A TIME_LINE or TIME_BLOCK, and whether a DISCOUNT came before it. */
typedef struct nytp_statement {
    uint32_t fid, line;
    int32_t ticks;
    uint32_t executions; /* 1; after a DISCOUNT 0: it continues after a call, and was counted before */
    bool has_block;      /* it is a TIME_BLOCK, which has these two */
    uint32_t block_line, sub_line;
} nytp_statement;

static inline nytp_statement nytp_get_statement(const nytp_chunk *chunk, uint32_t executions)
{
    return (nytp_statement){chunk->time.fid,
                            chunk->time.line,
                            chunk->time.ticks,
                            executions,
                            chunk->tag == NYTP_TIME_BLOCK,
                            chunk->time.block_line,
                            chunk->time.sub_line};
}

/* Returns a number of its line and fid. */
static inline uint64_t nytp_statement_place(nytp_statement s)
{
    return (uint64_t)s.line << 32 | s.fid;
}
