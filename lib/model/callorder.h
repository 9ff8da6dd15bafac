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

#define NYTP_CALLS_END UINT32_MAX /* a barrier, instead of a sub: no call behind it made one before it */

typedef struct nytp_ordered_call {
    uint32_t sub;
    uint32_t
        depth; /* in order of returns that of SUB_RETURN; in order of entries how many calls are around it */
    int64_t excl_ticks;
} nytp_ordered_call;

typedef struct nytp_callorder nytp_callorder;

nytp_callorder *nytp_callorder_new(void);
void nytp_callorder_free(nytp_callorder *s); /* NULL is fine */

/* Adds the next call to return, or a barrier. Errors stay with s. */
void nytp_callorder_add(nytp_callorder *s, nytp_ordered_call call);

/* When all were added: puts them into the order of entries. A call made those of greater depth that returned
 * since the last one of its own depth or less. */
void nytp_callorder_turn(nytp_callorder *s);

/* Then gives the next call to be entered. False: there is none, or an error. */
bool nytp_callorder_next(nytp_callorder *s, nytp_ordered_call *call);

/* 0, or the errno of what went wrong with the file. */
int nytp_callorder_error(const nytp_callorder *s);

#endif
