/* How many statements calls ran themselves, and how long these took. A statement belongs to the innermost
 * call that was open when it ran. */
#pragma once

#include "calls/calltree.h"
#include "calls/turns.h"
#include "events/events.h"

typedef struct nytp_call_statements nytp_call_statements;

/* A sink of the events of a call tree, which are read with a profile. */
nytp_call_statements *nytp_call_statements_new(nytp_calltree *calls);
void nytp_call_statements_free(nytp_call_statements *statements); /* NULL is fine */

/* Returns the calls, whose nodes count their own statements in place of calls, and have the time of these, in
 * ticks of the profile. To be called when the profile has been read. The tree has the names of the call tree,
 * and is freed with the statements. */
nytp_calltree *nytp_call_statements_tree(nytp_call_statements *statements);

/* Returns the turns of loops: nytp_turn. They belong to the statements. */
const nytp_records *nytp_call_statements_turns(const nytp_call_statements *statements);
