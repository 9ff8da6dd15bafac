/* The checksum of a zlib stream (RFC 1950). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns the Adler-32 of data that follows other data, whose Adler-32 is sum. The sum of no data is 1. */
uint32_t nytp_adler(uint32_t sum, const void *data, size_t size);

/* Returns the Adler-32 of two runs of bytes together, given that of each and the size of the second. */
uint32_t nytp_adler_join(uint32_t first, uint32_t second, uint64_t second_size);
