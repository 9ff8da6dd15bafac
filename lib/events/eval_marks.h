/* Marks of string evals: the attributes eval_begin, "DEPTH FID LINE", and eval_end, "DEPTH TICKS PART"
 * (doc/format.md). */
#pragma once

#include "base/str.h"
#include "nytprof.h"

#include <stdbool.h>
#include <stdint.h>

/* Only in damaged profiles more run at once. Those are ignored. */
enum { NYTP_MOST_OPEN_EVALS = 1 << 20 };

typedef struct nytp_eval_mark {
    uint32_t depth;     /* how many calls were open when the eval began */
    uint32_t fid, line; /* of a begin: the statement that runs it */
    double ticks;       /* of an end: how long it took, with its calls */
    bool is_begin;
    bool is_part; /* of an end: the eval goes on, and does not count */
} nytp_eval_mark;

/* A mark as an attribute, whose value is text. */
typedef struct nytp_eval_text {
    nytp_chunk chunk;
    char text[96];
} nytp_eval_text;

/* Returns whether an attribute of that key is a mark. */
static inline bool nytp_is_eval_mark(nytp_str key)
{
    return nytp_str_is(key, "eval_begin") || nytp_str_is(key, "eval_end");
}

/* Reads a mark. Returns false if it makes no sense. */
bool nytp_eval_mark_read(const nytp_chunk *chunk, nytp_eval_mark *mark);

/* Makes the attribute of a mark, which points into *text. */
void nytp_eval_mark_write(const nytp_eval_mark *mark, nytp_eval_text *text);
