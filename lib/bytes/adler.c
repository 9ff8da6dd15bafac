#include "bytes/adler.h"

#include <zlib.h>
#ifdef NYTP_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

/* isa-l's, because zlib's takes a third as long as compressing by isa-l does. */
uint32_t nytp_adler(uint32_t sum, const void *data, size_t size)
{
#ifdef NYTP_HAVE_ISAL
    return isal_adler32(sum, data, size);
#else
    return (uint32_t)adler32_z(sum, data, size);
#endif
}

uint32_t nytp_adler_join(uint32_t first, uint32_t second, uint64_t second_size)
{
    return (uint32_t)adler32_combine(first, second, (z_off_t)second_size);
}
