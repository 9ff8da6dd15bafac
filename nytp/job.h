/* The program that is profiled. */
#pragma once

/* Executes a program, found along PATH, and waits until it has ended. Signals that would end nytp meanwhile
 * end that program instead, or what it makes of them. Returns its exit status as shells do: 128 and the
 * number of the signal that ended it; 127 if it cannot be executed, after saying why. */
int verb_job_run(char **arguments, char **environment);
