#include "base/hash.h"

#include <sys/auxv.h>

/* What it is where the kernel gives no random bytes. */
uint64_t nytp_hash_seed[2] = {UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xC2B2AE3D27D4EB4F)};

/* The kernel leaves 16 random bytes to each program (getauxval(3)), which libc uses, too. Mixing them keeps a
 * seed that became known from giving them away. */
__attribute__((constructor)) static void set_seed(void)
{
    uint64_t random[2];
    const unsigned long at = getauxval(AT_RANDOM);
    if (at == 0)
        return;
    memcpy(random, (const void *)at, sizeof random);
    const uint64_t first = nytp_hash_mix(0, random[0], random[1]),
                   second = nytp_hash_mix(first, random[1], random[0]);
    nytp_hash_seed[0] = first;
    nytp_hash_seed[1] = second | 1;
}
