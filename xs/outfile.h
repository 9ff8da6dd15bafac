/* The file of a profile and its descriptor, which the profiled program must
 * neither meet nor close by chance. */
#ifndef PROF_OUTFILE_H
#define PROF_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct prof_outfile {
    char *path;            /* absolute, unless the working directory is gone */
    int fd;                /* -1: none */
    _Atomic bool secluded; /* fd is in the writing thread's own table */
    dev_t device;          /* what fd was opened on */
    ino_t inode;
    off_t size_bytes; /* what was written */
} prof_outfile;

/* As prof_output_open() says. False: *why tells. */
bool prof_outfile_open(prof_outfile *file, const char *path, const char **why);

/* Gives the calling thread a descriptor table of its own, with nothing in it but the file, where the system
 * can do that. fd is the same number there; the other threads' copy is theirs to disown. */
void prof_outfile_seclude(prof_outfile *file);

/* The thread that did so is about to end, and its descriptor with it. */
void prof_outfile_give_up(prof_outfile *file);

/* Then: fd, if that is still the file, or a new descriptor for it. 0 or -errno. */
int prof_outfile_take_over(prof_outfile *file, int fd);

/* Closes fd, if that is the file in the caller's table. */
void prof_outfile_disown(const prof_outfile *file, int fd);

/* Moves a descriptor that is in the program's table behind those that programs close in loops. */
void prof_outfile_move_up(prof_outfile *file);

/* All of size bytes; 0 or -errno. A descriptor that the program closed, or opened something else on, is
 * replaced by a new one for the same file. No signal comes of it (SIGXFSZ, SIGPIPE), if all are blocked. */
int prof_outfile_write(prof_outfile *file, const void *data, size_t size);

/* Takes back what was written after the first size_bytes. 0 or -errno; what is under /dev/ cannot be taken
 * back. */
int prof_outfile_cut(prof_outfile *file, off_t size_bytes);

/* For who writes. */
void prof_outfile_close(prof_outfile *file);
void prof_outfile_free(prof_outfile *file); /* the path; not the struct */

#endif
