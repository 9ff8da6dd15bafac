/* Source files on disk, whose names come from a profile. A profile can name any file, and a report that is
 * made of it may be given away, so only what perl could have compiled is read:
 *
 * - The name without links and "..", as realpath() returns it, decides.
 * - It has a suffix of Perl's (.pl, .pm, .t and so on), or the first line of the file is "#!" with "perl" in
 *   it. That the profile names a file as its program says nothing, because a forged profile does that too.
 * - Nothing below /proc, /sys and /dev is read, and nothing but regular files.
 * - A file may have 32 MiB, and all of them together 512 MiB.
 */
#pragma once

#include "nytprof-model.h"

typedef struct nytp_perl_files {
    bool none;         /* no file is read */
    bool verbose;      /* each file that is read, and each that is refused, is printed to stderr */
    double recorded_s; /* when the profile was begun; 0: not known */
    uint64_t read_bytes;
    uint32_t newer; /* files that were read although they were changed after that */
} nytp_perl_files;

/* Returns the text of a file, which the caller must free(), and sets *size to its length. Relative names
 * start in the current directory. Returns NULL and sets errno if the file is not there, or must not or cannot
 * be read. */
char *nytp_perl_file_read(nytp_perl_files *files, const char *path, size_t *size);

/* Returns what an open file has, at most *size bytes, since files of the kernel have a size of 0 and may
 * never end, with a 0 after it, and sets *size; or NULL with errno. The caller must free() it. */
char *nytp_perl_file_bytes(int fd, size_t *size);

/* Returns why a file that is open must not be read, or NULL: neither its name, which is without links, nor
 * its first line is Perl's, or it is one of the system. */
const char *nytp_perl_file_refusal(const char *path, int fd);

/* Sets recorded_s, none and newer from the attributes of a profile: one that has its source may say that no
 * files are to be read, since those of these names are others here. */
void nytp_perl_files_recorded(nytp_perl_files *files, const nytp_profile *profile);

#define NYTP_NO_SOURCE_FILES_ROW(files)                                                                      \
    NYTP_ROW(0, "no-source-files", NULL, "read no source files, which a profile can name",                   \
             .flag = &(files).none)
