/* goto &sub: the sub that runs returns, and its caller calls the other sub. */
#ifndef PROF_GOTO_H
#define PROF_GOTO_H

/* Replaces GOTO. */
void prof_replace_goto(void);

#endif
