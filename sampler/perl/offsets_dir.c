#include "sampler/perl/offsets_dir.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The program is in bin/, and the tables are in share/nytprof/offsets/ beside that. */
const char *sampler_offsets_directory(void)
{
    static char directory[PATH_MAX + 64];
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    for (int levels = 0; levels < 2; levels++) {
        char *slash = strrchr(program, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    snprintf(directory, sizeof directory, "%s/share/nytprof/offsets", program);
    return directory;
}
