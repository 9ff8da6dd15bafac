/* Calls that go on while other coroutines of Coro run: `coroutine` and `parts` (doc/format.md). Before
 * another coroutine runs, the calls of the one that leaves return as parts, and the last return of each has
 * only the time since then.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_coroutines {
    uint32_t running;  /* number of the coroutine that runs; 0 if none has a number */
    GArray *parts;     /* those that have returned since the last whole call */
    GHashTable *going; /* calls that go on in any coroutine, with the time of their parts */
} nytp_coroutines;

nytp_coroutines nytp_coroutines_new(void);
void nytp_coroutines_clear(nytp_coroutines *coroutines);

/* A process begins. */
void nytp_coroutines_reset(nytp_coroutines *coroutines);

/* That coroutine runs from here on. */
void nytp_coroutines_switch(nytp_coroutines *coroutines, uint32_t number);

/* A call returns, or, if is_part, a part of it. Returns how long its earlier parts took. */
double nytp_coroutines_leave(nytp_coroutines *coroutines, uint32_t depth, double ticks, bool is_part);
