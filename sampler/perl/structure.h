/* Fields of structures that were read from another process, at any alignment. */
#pragma once

#include <stdint.h>
#include <string.h>

#define SAMPLER_DEFINE_READ(name, type)                                                                      \
    static inline type name(const void *at)                                                                  \
    {                                                                                                        \
        type value;                                                                                          \
        memcpy(&value, at, sizeof value);                                                                    \
        return value;                                                                                        \
    }
SAMPLER_DEFINE_READ(sampler_u16, uint16_t)
SAMPLER_DEFINE_READ(sampler_u32, uint32_t)
SAMPLER_DEFINE_READ(sampler_i32, int32_t)
SAMPLER_DEFINE_READ(sampler_u64, uint64_t)
