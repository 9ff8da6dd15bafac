/* The statements of the current process that ended last, in a ring whose size is limited. Those of one line
 * that follow one another are one entry.
 *
 * Until its statements are wanted, the ring is small, and filled once: a profile of which nobody wants them
 * costs no more than that.
 */
#pragma once

#include "format/statement.h"

#include <glib.h>

typedef struct nytp_recent_entry {
    uint64_t place; /* nytp_statement_place(); 0: time that no statement has */
    int32_t ticks;
    uint32_t runs; /* statements that were counted */
} nytp_recent_entry;

/* Called when the statement has ended that was awaited, which is an entry of its own, the last one. is_there
 * is false if no more of the process comes. */
typedef void nytp_recent_fn(void *context, bool is_there);

typedef struct nytp_recent {
    nytp_recent_entry *ring;
    nytp_recent_entry *last; /* the first one of a process is empty */
    nytp_recent_entry *stop; /* nytp_recent_begin() adds what comes after this one */
    uint32_t size, most;     /* of the ring */
    bool is_round;           /* the entries from the one after the last on are older ones */
    bool has_lost;           /* there were still older ones */
    bool is_wanted;
    bool is_left; /* it is full and not wanted */
    nytp_recent_fn *on_awaited;
    void *context; /* NULL if no statement is awaited */
} nytp_recent;

/* most: how many entries it may have, a power of 2 and at least 4. */
nytp_recent *nytp_recent_new(uint32_t most);
void nytp_recent_free(nytp_recent *recent); /* NULL is fine */

/* Another process begins. */
void nytp_recent_reset(nytp_recent *recent);

/* From here on its statements are wanted. */
void nytp_recent_want(nytp_recent *recent);

/* Has the function called once when the next statement has ended. */
void nytp_recent_await(nytp_recent *recent, nytp_recent_fn *on_awaited, void *context);

/* Use nytp_recent_add(). Adds an entry where the ring may have to grow, or a statement is awaited. */
void nytp_recent_begin(nytp_recent *recent, nytp_recent_entry entry);

/* Adds a statement that has ended. */
static inline void nytp_recent_add(nytp_recent *r, nytp_statement s)
{
    nytp_recent_entry *last = r->last;
    const uint64_t place = nytp_statement_place(s);
    int32_t ticks;
    if (__builtin_expect(last == r->stop, 0)) {
        nytp_recent_begin(r, (nytp_recent_entry){place, s.ticks, s.executions});
    } else if (last->place == place && !__builtin_add_overflow(last->ticks, s.ticks, &ticks)) {
        last->ticks = ticks;
        last->runs += s.executions;
    } else {
        *++last = (nytp_recent_entry){place, s.ticks, s.executions};
        r->last = last;
    }
}

/* Adds time that no statement has. */
void nytp_recent_add_gap(nytp_recent *recent, double ticks);

/* Returns the entry that is n before the last one; NULL if it is not there. */
const nytp_recent_entry *nytp_recent_back(const nytp_recent *recent, uint32_t n);
