/* A limit on a program's memory: 64 MiB, 8 times the size of its inputs on disk, and 640 bytes for each chunk
 * that was read, as far as these are within half of the machine's memory; or NYTP_MEMORY_MIB. Real profiles
 * need less. If a file was made to need more, the program ends with a message, status 1 and no output. */
#pragma once

#include <stdint.h>

/* After this call, the program ends with a message when an allocation fails, whatever the reason. */
void nytp_limit_begin(void);

/* Raises the limit that nytp_limit_input() sets, for a program that needs more than others. A program that
 * calls only this one has no limit. */
void nytp_limit_add(uint64_t bytes);

/* Raises the limit for one more input of that size (0: not known). name is for messages, and must stay valid
 * until the next call. Returns 0, or -1 after saying that NYTP_MEMORY_MIB is not valid. */
int nytp_limit_input(const char *name, uint64_t bytes);

/* Call it with the number of bytes and chunks of that input that were read. Chunks raise the limit, and so do
 * the bytes of an input of unknown size. */
void nytp_limit_read(uint64_t bytes, uint64_t chunks);

/* Prints a message about a failed allocation, and names the limit if that was the reason. */
void nytp_limit_report(const char *message);
