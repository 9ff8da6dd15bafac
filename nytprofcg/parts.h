/* --parts: a callgrind file for each process of a merged profile. */
#pragma once

#include <stdint.h>

/* The process that a callgrind file is of. */
typedef struct cg_part {
    uint32_t number; /* counted from 1 */
    uint32_t pid;
    uint32_t thread; /* of the process, counted from 1; 0: it has one alone */
} cg_part;

/* Returns the path of a part's callgrind file: that of the first is output itself, the others end in ".2",
 * ".3" and so on. The caller must g_free() it. */
char *cg_part_output(const char *output, uint32_t number);

/* Removes the files of parts with higher numbers that nytprofcg wrote before: KCachegrind shows all files
 * whose names begin like the one that it opens. */
void cg_parts_remove_after(const char *output, uint32_t count);
