/* The files of a profile: numbers, fids, for the names that a perl has for them, and names of string evals by
 * where they were done. */
#ifndef RECORD_FILES_H
#define RECORD_FILES_H

#include "base/stringtable.h"
#include "nytprof.h"

typedef struct record_files record_files;

/* strings has the names, and gets others. Files whose names are not absolute are below directory. Chunks go
 * to writer. All stay the caller's. */
record_files *record_files_new(nytp_writer *writer, nytp_strings *strings, const char *directory);
void record_files_free(record_files *files);

/* The fid of a file by the number of its name, after a NEW_FID when it is new. 0 for RECORD_NO_STRING. */
uint32_t record_files_fid(record_files *files, uint32_t name);

/* Says that the eval with that name, `(eval N)`, is done at a line of a file. Counts the first time, and only
 * before it has a fid. Other names are ignored. */
void record_files_eval_at(record_files *files, uint32_t name, uint32_t file, uint32_t line);

/* The number of the name that a profile has for a file: `(eval N)[FILE:LINE]` for an eval whose place is
 * known. */
uint32_t record_files_shown(record_files *files, uint32_t name);

#endif
