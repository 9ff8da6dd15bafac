/* What the fuzz targets share. Each is one LLVMFuzzerTestOneInput() that ends the program when something is
 * wrong. libFuzzer or AFL++ drive it, or replay.c with files.
 */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include "cli/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program when what must hold does not. */
#define must(condition) ((condition) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_broken(const char *file, int line, const char *condition);

/* libFuzzer's: looked for by this name, and what it has for bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Hands over the wanted chunks of a profile in memory, as nytp_read_chunks() does with a file. */
void fuzz_read(const uint8_t *data, size_t size, uint32_t wanted, nytp_take_fn *take,
               nytp_take_run_fn *take_run, void *context);

/* A reader of a profile in memory. */
nytp_reader *fuzz_reader(const uint8_t *data, size_t size, uint32_t wanted);

/* A stream for results, which keeps nothing but their number of bytes; ended by fclose(). */
FILE *fuzz_results(void);

#endif
