/* What the fuzz targets share. Each is one LLVMFuzzerTestOneInput() that ends the program when something is
 * wrong. libFuzzer or AFL++ drive it, or replay.c with files.
 */
#pragma once

#include "cli/read.h"
#include "events/filters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program if the condition does not hold. */
#define must(condition) ((condition) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_broken(const char *file, int line, const char *condition);

/* Declared as libFuzzer calls it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Returns the filters that the fourth byte from the end chooses, any of them together; none if it is not
 * there. */
nytp_filter_options fuzz_filters(const uint8_t *data, size_t size);

/* Read a profile in memory, as nytp_read() reads a file; through filters. */
void fuzz_read_filtered(const uint8_t *data, size_t size, const nytp_filter_options *filters, uint32_t wanted,
                        nytp_read_some_fn *read_some, void *context);
void fuzz_read(const uint8_t *data, size_t size, uint32_t wanted, nytp_read_some_fn *read_some,
               void *context);

/* The same, chunk by chunk. */
typedef void fuzz_chunk_fn(void *context, const nytp_chunk *chunk);
void fuzz_read_chunks(const uint8_t *data, size_t size, uint32_t wanted, fuzz_chunk_fn *on_chunk,
                      void *context);

/* A reader of a profile in memory. */
nytp_reader *fuzz_reader(const uint8_t *data, size_t size, uint32_t wanted);

/* A stream for results that only counts their bytes. Close it with fclose(). */
FILE *fuzz_results(void);
