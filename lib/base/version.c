/* The version of the library, for programs that were built with the header of another one. */
#include "nytprof.h"

/* A program built with an earlier header keeps these structs in its own memory. If one of these fails, take
 * the new member's size from `reserved`; do not change the number. */
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " must not change its size")
_Static_assert(offsetof(nytp_chunk, reserved) + 176 == sizeof(nytp_chunk),
               "nytp_chunk must not change its size");
SIZE(nytp_error, 576);
SIZE(nytp_dprof_options, 32);

const char *nytp_version(void)
{
    return NYTP_VERSION_STRING;
}

uint32_t nytp_version_number(void)
{
    return NYTP_VERSION_NUMBER;
}
