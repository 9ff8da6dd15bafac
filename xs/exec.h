/* exec: if it succeeds, the program does not run any more, so the file must be complete before. If it fails,
 * the end is cut off again. */
#ifndef PROF_EXEC_H
#define PROF_EXEC_H

/* Replaces EXEC. */
void prof_replace_exec(void);

#endif
