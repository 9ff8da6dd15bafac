/* Which subs have statements of their own, as far as the profile has said: for its clock. */
#pragma once

#include "events/clock.h"
#include "events/name_bytes.h"

/* The profile may name subs that no call has, which the names of the events do not know. */
typedef struct nytp_timed_subs {
    nytp_name_bytes kinds; /* enum nytp_own_statements */
    GArray *numbers; /* uint32_t: number in kinds + 1, by that of the name in events; 0: not looked up */
} nytp_timed_subs;

nytp_timed_subs nytp_timed_subs_new(void);
void nytp_timed_subs_clear(nytp_timed_subs *subs);

/* Takes SUB_INFO, and the SUB_CALLERS that marks an xsub. */
void nytp_timed_subs_add(const nytp_timed_subs *subs, const nytp_chunk *chunk);

/* Forgets what the profile said. */
void nytp_timed_subs_forget(const nytp_timed_subs *subs);

/* Returns what is known of the sub of that name. */
static inline enum nytp_own_statements nytp_timed_subs_by_name(const nytp_timed_subs *subs,
                                                               const nytp_str *name)
{
    const uint32_t number = nytp_name_bytes_number(&subs->kinds, name);
    return (enum nytp_own_statements) * nytp_name_byte(&subs->kinds, number);
}

/* Returns what is known of the sub whose name has that number in names, which are always the same. */
enum nytp_own_statements nytp_timed_subs_get(const nytp_timed_subs *subs, const nytp_names *names,
                                             uint32_t number);
