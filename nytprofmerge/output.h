/* Writes the merged profile. */
#ifndef MERGE_OUTPUT_H
#define MERGE_OUTPUT_H

#include "arcs.h"
#include "format/relay.h"
#include "model/sub_map.h"
#include "model/merged_settings.h"

typedef struct merge_output {
    nytp_writer *writer;
    int level;
    bool no_calls;     /* leave out the single calls */
    bool header_ended; /* everything after it is compressed */
    bool failed;       /* an error was reported */
} merge_output;

/* level: of compression, 0 for none; it runs on that many threads. name: for messages. out stays the
 * caller's, and is not flushed. If memory runs out it says so and sets failed. */
merge_output merge_output_new(FILE *out, const char *name, int level, unsigned threads, bool no_calls);
void merge_output_clear(merge_output *output);

/* The first of these that meets an error reports it and sets failed; then all do nothing. Before the end of
 * the header only settings and comments may be put. */
void merge_output_begin(merge_output *output, const nytp_merged_settings *settings);
void merge_output_end_header(merge_output *output);
void merge_output_put(merge_output *output, const nytp_chunk *chunk);
void merge_output_put_setting(merge_output *output, const nytp_chunk *chunk);
void merge_output_origin(merge_output *output, uint32_t fid); /* of the next chunk */
void merge_output_relay(merge_output *output, nytp_reader *reader, nytp_relay *events);
void merge_output_end(merge_output *output, const nytp_sub_map *subs, const merge_arcs *arcs,
                      const nytp_merged_settings *settings);

#endif
