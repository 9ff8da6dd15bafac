/* What the collector and nytprofmerge need of a writer beyond nytprof.h. */
#pragma once

#include "bytes/deflate.h"

/* Appends chunks that are encoded already; a chunk may be split between calls. They are not checked. The
 * collector uses it, since it encodes chunks straight into its own blocks. Returns 0, or a negative error. */
int nytp_writer_encoded(nytp_writer *writer, const void *data, size_t size);

/* How to compress from START_DEFLATE on; NYTP_DEFLATE_FAST by default. */
void nytp_writer_set_deflate(nytp_writer *writer, enum nytp_deflate_with with);

/* Like nytp_deflate_prepare() and nytp_deflate_choose(); without effect before START_DEFLATE. */
bool nytp_writer_prepare(nytp_writer *writer);
int nytp_writer_choose(nytp_writer *writer, nytp_deflate_effort effort);

/* Compresses on that many threads from START_DEFLATE on. A flush then does not reach the sink, and remember()
 * and resume() cannot be used. */
void nytp_writer_set_threads(nytp_writer *writer, unsigned threads);

/* Like nytp_deflate_remember() and nytp_deflate_resume(), with or without compression. */
int nytp_writer_remember(nytp_writer *writer, nytp_deflate_mark *mark);
void nytp_writer_resume(nytp_writer *writer, const nytp_deflate_mark *mark);
