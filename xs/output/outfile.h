/* The file of a profile and its descriptor. The profiled program must not see the descriptor, nor close it by
 * chance. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct prof_outfile {
    char *path;            /* absolute, unless the working directory is gone */
    int fd;                /* -1: none */
    _Atomic bool unshared; /* fd is in the writing thread's own descriptor table */
    dev_t device;          /* of the file that fd was opened on */
    ino_t inode;
    off_t size_bytes; /* how much was written */
} prof_outfile;

/* Opens or creates path, as prof_output_open() describes. On failure sets *why and returns false. */
bool prof_outfile_open(prof_outfile *file, const char *path, const char **why);

/* Gives the calling thread a descriptor table of its own that has only the file, if the system can do that.
 * fd is the same number there. The other threads keep their copy. */
void prof_outfile_unshare_fd(prof_outfile *file);

/* Closes the descriptor in the calling thread's own table; the thread is about to end. */
void prof_outfile_close_unshared_fd(prof_outfile *file);

/* Uses fd from here on if that is still the file, otherwise a new descriptor for it. Returns 0 or -errno. */
int prof_outfile_use_fd(prof_outfile *file, int fd);

/* Closes fd in the table of the calling thread, if it is the file there. */
void prof_outfile_close_shared_fd(const prof_outfile *file, int fd);

/* Moves a descriptor that the program shares to a number past those that programs close in loops. */
void prof_outfile_move_up(prof_outfile *file);

/* Writes all of size bytes. If the program has closed the descriptor, or opened something else on it, opens
 * the file again. Removes SIGXFSZ and SIGPIPE if writing raises them; all signals must be blocked. Returns 0
 * or -errno. */
int prof_outfile_write(prof_outfile *file, const void *data, size_t size);

/* Cuts the file to its first size_bytes. Returns 0 or -errno; -ESPIPE if it is a device (base/newfile.h). */
int prof_outfile_cut(prof_outfile *file, off_t size_bytes);

/* Closes the descriptor. Called by the thread that writes. */
void prof_outfile_close(prof_outfile *file);

/* Frees the path, not the struct. */
void prof_outfile_free(prof_outfile *file);
