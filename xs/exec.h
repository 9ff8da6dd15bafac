/* exec: if it succeeds, nothing of the program runs any more, so the file must be complete before. If it
 * fails, the end is taken back. */
#ifndef PROF_EXEC_H
#define PROF_EXEC_H

/* Replaces EXEC. */
void prof_replace_exec(void);

#endif
