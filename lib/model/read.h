/* How statements are added to a profile, for all that reads one, alone or together with something else. */
#pragma once

#include "model/lines.h"
#include "model/profile.h"
#include "nytprof-model.h"

/* Where the statements of a profile are added, apart from it so that a loop over statements keeps it in
 * registers. */
typedef struct nytp_statements {
    nytp_lines *lines;
    nytp_line_slot *slots;
    nytp_level_slot *level_slots;
    int64_t ticks; /* the sum of those that were added, for profile->statement_ticks */
} nytp_statements;

static inline nytp_statements nytp_profile_statements(const nytp_profile *profile)
{
    return (nytp_statements){profile->lines, profile->lines->slots, profile->lines->level_slots, 0};
}

static inline void nytp_statements_add(nytp_statements *to, nytp_statement s)
{
    to->ticks += s.ticks;
    if (s.has_block && to->level_slots != NULL)
        nytp_lines_add_level(to->lines, to->level_slots, s);
    else
        nytp_lines_add(to->lines, to->slots, s);
}

/* Returns whether the next statement is to be added like others: it is not after a DISCOUNT, an attribute
 * `memory`, an annotation, or how long it waited, which count for one chunk. */
static inline bool nytp_profile_reads_runs(const nytp_profile *profile)
{
    return !profile->discount && profile->origin == 0 && profile->next_blocks == 0 &&
           !profile->next_has_waited;
}
