#pragma once

#include <stddef.h>

/* How much more memory than at the beginning malloc() had given out at one of the moments that were measured.
 */
typedef struct in_use {
    size_t before, more; /* bytes */
} in_use;

in_use in_use_begin(void);
void in_use_measure(in_use *u);
