/* The files of a profile: numbers, fids, for the names that a perl has for them. String evals are named by
 * where they are done. */
#pragma once

#include "sources.h"

typedef struct record_files record_files;

/* sources has the names and texts of files. If it is NULL, names are those that perl has, and no text is
 * written. evals names string evals. Chunks go to writer. All stay the caller's. */
record_files *record_files_new(nytp_writer *writer, sampler_evals *evals, record_sources *sources);
void record_files_free(record_files *files);

/* Returns the fid of a file by the number of its name in strings, after a NEW_FID if it is new. 0 for
 * SAMPLER_NO_STRING. */
uint32_t record_files_fid(record_files *files, const nytp_strings *strings, uint32_t name);

/* Returns the fid that stands for places which could not be found out. */
uint32_t record_files_unknown(record_files *files);

/* Forgets numbers of names: they are those of other strings from now on. */
void record_files_renumber(record_files *files);
