/* Which source lines the merged profile has already, for every input brings the same ones. */
#ifndef MERGE_TEXTS_H
#define MERGE_TEXTS_H

#include "nytprof.h"

typedef struct merge_texts merge_texts;

merge_texts *merge_texts_new(void);
void merge_texts_free(merge_texts *texts);

/* Whether the text of that line is another than the one given last. Compares hashes of 64 bits. */
bool merge_texts_is_new(merge_texts *texts, uint32_t fid, uint32_t line, nytp_str text);

#endif
