/* What subs are, said where the input says it: before the calls from which readers conclude when something
 * happened (events/clock.h). What no event of its input follows is said at the end: readers of the input did
 * not know it either. */
#pragma once

#include "state.h"

merge_said *merge_said_new(void);
void merge_said_free(merge_said *said); /* NULL is fine */

/* Note a range of a sub (its number in m->sub_map), and a SUB_CALLERS that marks an xsub. */
void merge_note_range(merge_state *m, uint32_t range);
void merge_note_xsub(merge_state *m, const nytp_chunk *mark);

/* Returns whether something is noted that was not said. */
bool merge_has_unsaid(const merge_said *said);

/* Says what is noted. Call it before an event. */
void merge_say_noted(merge_state *m);

/* Leaves what is noted to the end of the merged profile, since the input has ended. */
void merge_leave_noted(merge_state *m);
