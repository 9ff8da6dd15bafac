/* The hash of the library's tables. Every bit of it depends on all bits of the key, so a table may use the
 * low ones.
 *
 * It differs from process to process: nobody can make a file whose names or numbers all go to the same place.
 * So nothing that is written may depend on it. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Random numbers, set before main(); the second is odd. */
extern uint64_t nytp_hash_seed[2];

static inline uint32_t nytp_load32(const char *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t nytp_load64(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Returns both halves of the product of 128 bits, folded: each depends on bits of both factors that the other
 * half does not depend on. */
static inline uint64_t nytp_hash_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 u128;
    const u128 product = (u128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Without the seed, factors could be chosen whose products are the same. One round is not enough for keys
 * that differ only in their last bytes, such as main::f1 and main::f2. */
static inline uint64_t nytp_hash_mix(uint64_t hash, uint64_t a, uint64_t b)
{
    const uint64_t x = nytp_hash_fold(hash ^ a ^ nytp_hash_seed[0], b ^ nytp_hash_seed[1]);
    return nytp_hash_fold(x, UINT64_C(0x9E3779B97F4A7C15));
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
