/* Calls in the order in which they began, found from their returns.
 *
 * A stream tells of a call when it returns, which is after all that it called. How
 * many calls began before it is known then, though: those that had returned before the
 * first of what it called, and its callers, which are as many as it is deep. So each
 * return goes straight to its place among all calls. The latest places are kept in memory,
 * earlier ones in a temporary file (8 bytes a call), so memory does not grow with calls.
 */
#ifndef NYTP_CALLORDER_H
#define NYTP_CALLORDER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_callorder nytp_callorder;

/* The last places, a multiple of 4, stay in memory; 0: as many as is sensible. */
nytp_callorder *nytp_callorder_new(uint32_t places);
void nytp_callorder_free(nytp_callorder *order); /* NULL is fine */

/* A return; depth as in the stream, 1 for a call from outside; sub is below UINT32_MAX - 1. */
void nytp_callorder_return(nytp_callorder *order, uint32_t depth, uint32_t sub);

/* Or, where the stream tells it, that a call begins. A stack comes by returns or by beginnings, not by both.
 */
void nytp_callorder_begin(nytp_callorder *order, uint32_t depth, uint32_t sub);

/* Whoever has not returned never will. At the end of each process and file. */
void nytp_callorder_end_stack(nytp_callorder *order);

/* depth: 0 for a call from outside. */
typedef bool nytp_began_fn(void *context, uint32_t depth, uint32_t sub);

/* Every call in order, until visit returns false; ends the stack first. Callers that never returned have no
 * name and are left out: what they called takes their place. 0, or -errno when the temporary file
 * could not be made, written or read, now or before. */
int nytp_callorder_walk(nytp_callorder *order, nytp_began_fn *visit, void *context);

#endif
