/* Writing the merged profile. */
#ifndef MERGE_OUTPUT_H
#define MERGE_OUTPUT_H

#include "arcs.h"
#include "folds.h"
#include "settings.h"
#include "format/relay.h"

typedef struct merge_output {
    nytp_writer *writer;
    int level;
    bool no_calls;     /* leave out the single calls */
    bool header_ended; /* the rest is compressed */
    bool failed;       /* and said why */
} merge_output;

/* level is of compression, 0: none; it is done on that many threads. name is for messages. out stays the
 * caller's, and is not flushed. When out of memory it says so, and failed is set. */
merge_output merge_output_new(FILE *out, const char *name, int level, unsigned threads, bool no_calls);
void merge_output_clear(merge_output *output);

/* The first of these that meets an error says so and sets failed; after that none does anything. Only
 * settings and comments may be put before the end of the header. */
void merge_output_begin(merge_output *output, const merge_settings *settings);
void merge_output_end_header(merge_output *output);
void merge_output_put(merge_output *output, const nytp_chunk *chunk);
void merge_output_put_setting(merge_output *output, const nytp_chunk *chunk);
void merge_output_origin(merge_output *output, uint32_t fid); /* of the next chunk */
void merge_output_relay(merge_output *output, nytp_reader *reader, nytp_relay *events);
void merge_output_end(merge_output *output, const merge_folds *folds, const merge_arcs *arcs,
                      const merge_settings *settings);

#endif
