/* Reading files of a line or two, such as those of /proc and of control groups. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Reads the begin of a file as text: at most size - 1 bytes, and a 0 after them. Returns whether there are
 * any. Allocates nothing, and errno stays. */
bool nytp_small_file_read(const char *path, char *text, size_t size);
