/* What every program does first, and the limit on its memory. */
#pragma once

#include <stdint.h>

/* A limit on a program's memory: half of what the machine or the control group has, but at least 64 MiB; or
 * NYTP_MEMORY_MIB. If a file was made to need more, the program ends with a message, status 1 and no output.
 */

/* After this call, the program ends with a message when an allocation fails, whatever the reason. */
void nytp_limit_begin(void);

/* Sets the limit. Call it before reading an input: name is for messages, and must stay valid until the next
 * call. Returns 0, or -1 after saying that NYTP_MEMORY_MIB is not valid. */
int nytp_limit_input(const char *name);

/* Prints a message about a failed allocation, and names the limit if that was the reason. */
void nytp_limit_report(const char *message);

/* Returns how much memory the program may have: the physical memory or, if that is less, the limit of its
 * control group or of one around it. */
uint64_t nytp_machine_bytes(void);

/* Sets the program's name for messages. Opens /dev/null in place of closed standard descriptors, so that no
 * other file gets their numbers. Restores the default action of SIGPIPE, so that a broken pipe ends the
 * program without a message. Limits the program's memory. */
void nytp_start(const char *name, char **argv);
