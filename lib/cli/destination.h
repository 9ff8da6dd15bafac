/* Where an output goes. A directory may belong to somebody else than the user, who may be root. So links and
 * FIFOs of others are refused: they lead where their owner wants. Those of root are trusted, as root may
 * write everything. */
#pragma once

#include <stdbool.h>

/* Returns what the links that begin at path lead to, which need not exist. The caller must free() it. Does
 * not follow links in /dev and /proc: what they lead to is written to as it is. Returns NULL if a link is
 * refused, and sets *why. */
char *nytp_destination_follow(const char *path, const char **why);

/* Returns whether path is written to as it is: a device, a FIFO, or an open file such as /dev/stdout. Other
 * files are replaced. */
bool nytp_destination_is_in_place(const char *path);

/* Opens what is written to as it is. Waits for the reader of a FIFO. Names of open files, such as /dev/fd/3,
 * become duplicates of their descriptors, so that those who share a file go on where the others are. Returns
 * the descriptor, or -1 and sets *why. */
int nytp_destination_open(const char *path, const char **why);

/* Returns whether path could be written or replaced, as far as can be told before. If not, sets *why. */
bool nytp_destination_is_writable(const char *path, const char **why);
