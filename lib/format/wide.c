#include "format/reader.h"

#include "format/chunks.h"

#include <byteswap.h>
#include <endian.h>
#include <math.h>

nytp_nv_kind nytp_nv_kind_of_size(double size)
{
    if (size == NYTP_NV_SIZE)
        return NYTP_NV_DOUBLE;
    return size == 12 ? NYTP_NV_X87_12 : size == 16 ? NYTP_NV_16_UNKNOWN : NYTP_NV_UNREADABLE;
}

/* The number mantissa * 2^(exponent - 63), where exponent has a bias and comes after the sign. Both formats
 * have 15 bits for it. */
static double assemble(uint64_t mantissa, unsigned sign_exponent)
{
    enum { BIAS = 16383, INFINITE = 0x7FFF };
    const unsigned exponent = sign_exponent & INFINITE;
    double value = ldexp((double)mantissa, (int)exponent - BIAS - 63);
    if (exponent == INFINITE)
        value = mantissa << 1 == 0 ? (double)INFINITY : (double)NAN;
    return sign_exponent > INFINITE ? -value : value;
}

static double decode_x87(const unsigned char *bytes)
{
    uint64_t mantissa;
    memcpy(&mantissa, bytes, sizeof mantissa);
    return assemble(le64toh(mantissa), bytes[8] | (unsigned)bytes[9] << 8);
}

/* Uses the first 63 of the 112 bits after the point, more than a double has. */
static double decode_binary128(const unsigned char *bytes)
{
    uint64_t high;
    memcpy(&high, bytes + 6, sizeof high);
    const unsigned sign_exponent = bytes[14] | (unsigned)bytes[15] << 8;
    const uint64_t one = (sign_exponent & 0x7FFF) != 0 ? UINT64_C(1) << 63 : 0;
    return assemble(one | le64toh(high) >> 1, sign_exponent);
}

/* There is no padding for so large numbers, so this checks the end. */
static double get_wide_nv(nytp_cursor *c, nytp_nv_kind kind)
{
    const ptrdiff_t size = kind == NYTP_NV_X87_12 ? 12 : 16;
    const unsigned char *at = c->at;
    if (c->end - at < size) {
        c->at = c->end + 1;
        return 0;
    }
    c->at += size;
    return kind == NYTP_NV_BINARY128 ? decode_binary128(at) : decode_x87(at);
}

/* From a second after 1970, as tests have it, to the year 4147. */
static bool makes_sense(double time_s)
{
    return time_s >= 1 && time_s < 0x1p36;
}

bool nytp_is_big_endian(double time_s)
{
    enum { YEAR_2001 = 1000000000 };
    uint64_t bits;
    double swapped;
    memcpy(&bits, &time_s, sizeof bits);
    bits = bswap_64(bits);
    memcpy(&swapped, &bits, sizeof bits);
    return time_s != 0 && !makes_sense(time_s) && swapped >= YEAR_2001 && swapped < 10.0 * YEAR_2001;
}

#define GET_u32(c)        nytp_get_u32(c)
#define GET_i32(c)        nytp_get_i32(c)
#define GET_nv(c)         get_wide_nv(c, kind)
#define GET_str(c)        nytp_get_str(c)
#define GET_absent(c)     nytp_get_absent(c)
#define GET(type, member) chunk->member = GET_##type(c);

static bool get_fields(nytp_cursor *c, nytp_chunk *chunk, nytp_nv_kind kind)
{
    switch (chunk->tag) {
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(GET) return true;
        NYTP_BINARY_CHUNKS(CASE)
#undef CASE
    default: return false;
    }
}

bool nytp_get_wide_fields(nytp_cursor *c, nytp_chunk *chunk, nytp_nv_kind *kind)
{
    static const unsigned char zero[16];
    const nytp_cursor begin = *c;
    const bool is_binary = get_fields(c, chunk, *kind);
    if (*kind != NYTP_NV_16_UNKNOWN || chunk->tag != NYTP_PID_START || c->at > c->end)
        return is_binary;
    if (makes_sense(chunk->pid_start.time_s)) {
        *kind = NYTP_NV_X87_16;
        return true;
    }
    *c = begin;
    get_fields(c, chunk, NYTP_NV_BINARY128);
    if (makes_sense(chunk->pid_start.time_s))
        *kind = NYTP_NV_BINARY128;
    else if (memcmp(c->at - sizeof zero, zero, sizeof zero) != 0)
        *kind = NYTP_NV_UNREADABLE;
    return true;
}
