/* Numbers of perls whose NVs are not doubles. Such profiles are rare, so their chunks are decoded apart from
 * those of doubles, one at a time and without the fast paths. */
#pragma once

#include "format/primitives.h"

/* How the NVs of a profile are written, low byte first. */
typedef enum nytp_nv_kind {
    NYTP_NV_DOUBLE,
    NYTP_NV_X87_12,     /* long doubles of x86: 10 bytes, and 2 of padding */
    NYTP_NV_X87_16,     /* the same on x86-64, with 6 bytes of padding */
    NYTP_NV_BINARY128,  /* quadmath, and long doubles of arm64 */
    NYTP_NV_16_UNKNOWN, /* one of the last two */
    NYTP_NV_UNREADABLE
} nytp_nv_kind;

/* Returns the kind of NVs of that size: what the attribute nv_size says. */
nytp_nv_kind nytp_nv_kind_of_size(double size);

/* Like nytp_get_fields(), for NVs of that kind. At a PID_START, which is the first chunk that has an NV,
 * finds out which kind of 16 bytes it is, by whether the time makes sense. If it makes none at all, *kind
 * becomes NYTP_NV_UNREADABLE. */
bool nytp_get_wide_fields(nytp_cursor *c, nytp_chunk *chunk, nytp_nv_kind *kind);

/* Whether that time of a PID_START, read as a double, is one whose high byte comes first. */
bool nytp_is_big_endian(double time_s);
