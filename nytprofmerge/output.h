/* The merged profile as it is written: its begin, chunks, its end. */
#ifndef MERGE_OUTPUT_H
#define MERGE_OUTPUT_H

#include "arcs.h"
#include "folds.h"
#include "settings.h"
#include "wire.h"

typedef struct merge_output {
    nytp_writer *writer;
    int level;
    bool no_calls;     /* leave out the single calls */
    bool header_ended; /* the rest is compressed */
    bool failed;       /* and said why */
} merge_output;

/* name is for messages; level of compression, 0: none; threads to do it. Nothing of out is closed or flushed.
 */
merge_output merge_output_new(FILE *out, const char *name, int level, unsigned threads, bool no_calls);
void merge_output_clear(merge_output *output);

/* All tell of an error once, and do nothing after it. Settings and comments alone come before the header's
 * end. */
void merge_output_begin(merge_output *output, const merge_settings *settings);
void merge_output_end_header(merge_output *output);
void merge_output_put(merge_output *output, const nytp_chunk *chunk);
void merge_output_put_setting(merge_output *output, const nytp_chunk *chunk);
void merge_output_origin(merge_output *output, uint32_t fid); /* of the next chunk */
void merge_output_relay(merge_output *output, nytp_reader *reader, nytp_relay *events);
void merge_output_end(merge_output *output, const merge_folds *folds, const merge_arcs *arcs,
                      const merge_settings *settings);

#endif
