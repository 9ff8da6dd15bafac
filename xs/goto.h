/* goto &sub: the sub that runs returns, and its caller calls the other sub. */
#pragma once

/* Replaces GOTO. */
void prof_replace_goto(void);
