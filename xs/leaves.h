/* The ops after which a statement continues that a block or call has interrupted. Those that leave a sub also
 * end its call. */
#pragma once

/* Replaces the ops that leave a statement. */
void prof_replace_leaves(void);

/* Replaces LEAVEWRITE, too. Not for slowops > 0, which makes it a built-in that is recorded as a sub. */
void prof_replace_leavewrite(void);
