/* Files as a process sees them: below its own root, which may be that of a container, and as its user. A
 * symbolic link in it leads nowhere else, and what its user may not read is not read for it. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef struct sampler_root sampler_root;

/* proc: the process's directory in /proc. Returns NULL if its root cannot be opened; errno says why. */
sampler_root *sampler_root_new(int proc);
void sampler_root_free(sampler_root *root); /* NULL is fine */

/* Returns whether its files are those of this process: both have the same root, and the same mounts. */
bool sampler_root_is_own(const sampler_root *root);

/* Finds out what a path, which is absolute, leads to. Returns false if that is nothing. */
bool sampler_root_stat(const sampler_root *root, const char *path, struct stat *to);

/* Opens a regular file to be read; -1: errno says why. Nothing else is opened, so no device and no FIFO
 * notices. */
int sampler_root_open(const sampler_root *root, const char *path, struct stat *to);

/* Its current directory, as the process sees it, in at most size - 1 bytes; empty if that is not known. */
void sampler_root_cwd(int proc, char *to, size_t size);
