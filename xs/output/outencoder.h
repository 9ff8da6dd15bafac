/* Encodes chunks of any kind and size, one by one. Chunks that are written for every statement or call are
 * encoded in place instead. */
#pragma once

#include "nytprof.h"

#include <stdbool.h>

typedef struct prof_encoder {
    nytp_writer *writer; /* NULL if there was no memory for one */
    nytp_write_fn *put;
    void *context;
    bool in_use, discard;
} prof_encoder;

/* put gets the bytes of each chunk. Returns false when out of memory. */
bool prof_encoder_start(prof_encoder *encoder, nytp_write_fn *put, void *context);

/* Encodes a chunk. Leaves out one that no reader could read. */
void prof_encoder_chunk(prof_encoder *encoder, const nytp_chunk *chunk);

/* May be called in a forked child, in any state of the encoder. */
void prof_encoder_free(prof_encoder *encoder);
