/* Fields of structures that were read from another process, at any alignment. */
#ifndef SAMPLER_PERL_STRUCTURE_H
#define SAMPLER_PERL_STRUCTURE_H

#include <stdint.h>
#include <string.h>

static inline uint16_t sampler_u16(const void *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint32_t sampler_u32(const void *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline int32_t sampler_i32(const void *at)
{
    int32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint64_t sampler_u64(const void *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

#endif
