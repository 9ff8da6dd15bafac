/* Converts calls from the order of returns to the order of entries.
 *
 * In a profile a call comes when it returns, after the calls that it made; in a tmon.out it comes when it is
 * entered, before them. A whole run may lie in between, so the calls go through an unnamed file in TMPDIR
 * (/tmp), block by block; only the stack of calls is in memory. If one block is enough, there is no file.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* In place of a sub, a barrier: no call after it made one before it. */
#define NYTP_CALLS_END UINT32_MAX

typedef struct nytp_ordered_call {
    uint32_t sub;
    /* In the order of returns, that of SUB_RETURN. In the order of entries, how many calls are around it. */
    uint32_t depth;
    int64_t ticks;         /* exclusive in the order of returns, inclusive in the order of entries */
    int64_t callees_ticks; /* in the order of entries: the inclusive time of the calls that it made */
    int64_t begin_ticks;   /* as it was added */
} nytp_ordered_call;

typedef struct nytp_callorder nytp_callorder;

nytp_callorder *nytp_callorder_new(void);
void nytp_callorder_free(nytp_callorder *s); /* NULL is fine */

/* Adds the next call that returns, or a barrier. Errors stick to s. */
void nytp_callorder_add(nytp_callorder *s, nytp_ordered_call call);

/* Call it when all calls were added: puts them into the order of entries. The callees of a call are the
 * deeper calls that returned after the previous call at its depth or above. */
void nytp_callorder_turn(nytp_callorder *s);

/* Then sets *call to the next call that is entered. Returns false if there is none, or after an error. */
bool nytp_callorder_next(nytp_callorder *s, nytp_ordered_call *call);

/* Returns 0, or the errno of what went wrong with the file. */
int nytp_callorder_error(const nytp_callorder *s);
