/* The hash of the library's tables. Every bit of it depends on all bits of the key, so a table may use the
 * low ones. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t nytp_load64(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* The high bits of a product depend on all bits of its factors, so each round multiplies and folds them down.
 * One round is not enough for keys that differ only in their last byte, such as main::f1 and main::f2: the
 * difference would reach only the upper half. */
static inline uint64_t nytp_hash_mix(uint64_t hash, uint64_t a, uint64_t b)
{
    uint64_t x = (hash ^ a) * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xC2B2AE3D27D4EB4F);
    x = (x ^ x >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return x ^ x >> 32;
}

/* Mixes in sixteen bytes at a time. The last sixteen may overlap the ones before. */
static inline uint64_t nytp_hash_bytes(const char *p, size_t length)
{
    uint64_t h = length;
    if (length < 8) {
        uint64_t tail = 0;
        for (size_t i = 0; i < length; i++)
            tail = tail << 8 | (unsigned char)p[i];
        return nytp_hash_mix(h, tail, 0);
    }
    if (length < 16)
        return nytp_hash_mix(h, nytp_load64(p), nytp_load64(p + length - 8));
    for (size_t i = 0; i + 16 < length; i += 16)
        h = nytp_hash_mix(h, nytp_load64(p + i), nytp_load64(p + i + 8));
    return nytp_hash_mix(h, nytp_load64(p + length - 16), nytp_load64(p + length - 8));
}
