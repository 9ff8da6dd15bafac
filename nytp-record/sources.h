/* The source of the files of a profile, read where the program runs while it runs. */
#pragma once

#include "nytprof.h"
#include "sampler/sampler.h"

typedef struct record_sources record_sources;

typedef struct record_source_counts {
    uint64_t newer;  /* files that were changed after the program began */
    uint64_t hidden; /* those of them whose source is left out: a sub does not begin where it runs */
} record_source_counts;

/* Chunks go to writer, which stays the caller's, as target does. wanted: whether source is read. */
record_sources *record_sources_new(nytp_writer *writer, const sampler_target *target, bool wanted);
void record_sources_free(record_sources *sources); /* NULL is fine */

/* The process executes another program. */
void record_sources_renew(record_sources *sources, const sampler_target *target);

/* Returns the name of a file in the profile, which the caller must free. */
char *record_sources_name(const record_sources *sources, const char *name);

/* Opens a file that the profile gets a NEW_FID for: *new_fid gets its size and time. Then
 * record_sources_add() writes its lines. If the file was changed after the program began, they are kept until
 * record_sources_conclude(), because subs may show that the program has another text. */
void record_sources_find(record_sources *sources, const char *name, nytp_chunk *new_fid);
void record_sources_add(record_sources *sources, uint32_t fid);

/* A sub begins at a line of a file. */
void record_sources_see_sub(record_sources *sources, uint32_t fid, const char *sub, uint32_t line);

void record_sources_conclude(record_sources *sources);
record_source_counts record_sources_counts(const record_sources *sources);

/* Whether programs may read the files that the profile names, because they are those of this system. */
bool record_sources_are_here(const record_sources *sources);
