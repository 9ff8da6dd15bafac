#include "bytes/codec.h"

#include <zlib.h>

/* zlib's takes a third as long as compressing by isa-l does. */
uint32_t nytp_adler(uint32_t sum, const void *data, size_t size)
{
    if (nytp_isal_adler != NULL)
        return nytp_isal_adler(sum, data, size);
    return (uint32_t)adler32_z(sum, data, size);
}

uint32_t nytp_adler_join(uint32_t first, uint32_t second, uint64_t second_size)
{
    return (uint32_t)adler32_combine(first, second, (z_off_t)second_size);
}
