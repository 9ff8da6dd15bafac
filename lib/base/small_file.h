/* Reading files of a line or two, such as those of /proc and of control groups. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the begin of a file as text: at most size - 1 bytes, and a 0 after them. Returns whether there are
 * any. Allocates nothing, and errno stays. */
bool nytp_small_file_read(const char *path, char *text, size_t size);

/* The same, of a path in a directory that is open. */
bool nytp_small_file_read_at(int directory, const char *path, char *text, size_t size);

/* The bytes in RAM that a process has, of its file statm: that says how many pages it has, and how many of
 * them are in RAM. 0 if it is not known. Takes some 5 us. */
uint64_t nytp_statm_rss_bytes(int directory, const char *path);
