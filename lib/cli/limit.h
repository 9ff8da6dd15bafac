/* A bound on a program's memory: 64 MiB and 8 times the size of its inputs on disk, or NYTP_MEMORY_MIB. Real
 * profiles come nowhere near. A file that was made to take more ends the program with a message, status 1 and
 * no output.
 */
#ifndef NYTP_CLI_LIMIT_H
#define NYTP_CLI_LIMIT_H

#include <stdint.h>

/* From here on the program says so and ends when it gets no more memory, for whatever reason. */
void nytp_limit_begin(void);

/* Raises the bound by what this program needs, whatever its inputs, and others do not. */
void nytp_limit_add(uint64_t bytes);

/* Raises the bound for one more input of that size (0: not known). name is for messages, and must live until
 * the next one. 0, or -1 after saying that NYTP_MEMORY_MIB makes no sense. */
int nytp_limit_input(const char *name, uint64_t bytes);

/* So many bytes of that input were read so far. */
void nytp_limit_taken(uint64_t bytes);

/* Says what was refused for want of memory, and the bound, if that was the reason. */
void nytp_limit_tell(const char *refused);

#endif
