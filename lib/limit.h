/* Memory that a program may take for its inputs: 64 MiB, and 8 times their size on disk, or NYTP_MEMORY_MIB.
 * Real profiles come nowhere near; files that were made for it end in a message, an exit status of 1 and no
 * output.
 */
#ifndef NYTP_LIMIT_H
#define NYTP_LIMIT_H

#include <stdint.h>

/* Has it told when there is no more memory, whatever the reason. */
void nytp_limit_begin(void);

/* Beside its inputs the program takes so much more than others. */
void nytp_limit_add(uint64_t bytes);

/* One more input, of that size (0: not known). The name is the caller's, and stays. -1 after saying that
 * NYTP_MEMORY_MIB makes no sense. */
int nytp_limit_input(const char *name, uint64_t bytes);

/* So much of it was read. */
void nytp_limit_taken(uint64_t bytes);

/* Says that memory was refused, and how much there may be. */
void nytp_limit_tell(const char *refused);

#endif
