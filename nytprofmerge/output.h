/* Writes the merged profile. */
#pragma once

#include "arcs.h"
#include "format/relay.h"
#include "merge/merged_settings.h"
#include "merge/sub_map.h"

typedef struct merge_output {
    nytp_writer *writer;
    bool no_calls;     /* leave out the single calls */
    bool header_ended; /* everything that follows is compressed */
    bool failed;       /* an error was reported */
} merge_output;

/* Returns an output into out, which stays the caller's and is not flushed. level: of compression, which runs
 * on that many threads; 0: none. name: for messages. Says so and sets failed when out of memory. */
merge_output merge_output_new(FILE *out, const char *name, int level, unsigned threads, bool no_calls);
void merge_output_clear(merge_output *output);

/* The first of these functions that fails reports the error and sets failed; after that they do nothing.
 * Before the end of the header only settings and comments may be put. */
void merge_output_begin(merge_output *output, const nytp_merged_settings *settings);
void merge_output_end_header(merge_output *output);
void merge_output_put(merge_output *output, const nytp_chunk *chunk);
void merge_output_put_setting(merge_output *output, const nytp_chunk *chunk);
void merge_output_origin(merge_output *output, uint32_t fid); /* annotates the next chunk */
void merge_output_sub(merge_output *output, nytp_sub_map *subs, uint32_t range);
void merge_output_relay(merge_output *output, nytp_reader *reader, nytp_relay *events);
void merge_output_end(merge_output *output, nytp_sub_map *subs, const merge_arcs *arcs,
                      const nytp_merged_settings *settings);
