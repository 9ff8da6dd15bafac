/* Calls on their way from the order of returns to the order of entries.
 *
 * A profile tells of a call when it returns, after all that it called; a tmon.out
 * when it is entered, before them. What is in between may be the whole run of a
 * program, so it goes through a file without a name in TMPDIR (/tmp), a block at a
 * time; in memory is but the stack of calls. A profile of one block needs no file.
 */
#ifndef NYTP_CALLORDER_H
#define NYTP_CALLORDER_H

#include <stdbool.h>
#include <stdint.h>

#define NYTP_CALLS_END UINT32_MAX /* as a sub: who returns behind it has called nobody before it */

typedef struct nytp_ordered_call {
    uint32_t sub;
    uint32_t depth; /* as it returns: that of SUB_RETURN; as it is entered: calls that are open around it */
    int64_t excl_ticks;
} nytp_ordered_call;

typedef struct nytp_callorder nytp_callorder;

nytp_callorder *nytp_callorder_new(void);
void nytp_callorder_free(nytp_callorder *s); /* NULL is fine */

/* In order of returns. Errors stay with s. */
void nytp_callorder_add(nytp_callorder *s, nytp_ordered_call call);

/* Turns to the order of entries: the last call to return with a depth has those of greater depth that
 * returned since the one before it. No more are added. */
void nytp_callorder_turn(nytp_callorder *s);

bool nytp_callorder_next(nytp_callorder *s, nytp_ordered_call *call);

/* 0, or the errno of what went wrong with the file. */
int nytp_callorder_error(const nytp_callorder *s);

#endif
