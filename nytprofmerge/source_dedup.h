/* Finds source lines that the merged profile already has, since every input has the same ones. */
#ifndef MERGE_SOURCE_DEDUP_H
#define MERGE_SOURCE_DEDUP_H

#include "nytprof.h"

typedef struct merge_source_dedup merge_source_dedup;

merge_source_dedup *merge_source_dedup_new(void);
void merge_source_dedup_free(merge_source_dedup *dedup);

/* Returns whether the text differs from the last one of that line. Compares hashes of 64 bits. */
bool merge_source_dedup_is_new(merge_source_dedup *dedup, uint32_t fid, uint32_t line, nytp_str text);

#endif
