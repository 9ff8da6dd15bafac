/* The name that is closest to one that is wrong, of those that are tried: two letters differ at most, or it
 * is so after some "::". */
#pragma once

#include <stddef.h>

enum { NYTP_CLOSEST_MAX = 255 }; /* bytes of a name; longer ones are not close */

typedef struct nytp_closest {
    const char *wrong;
    size_t distance; /* of the best one, + 1; 0: none is close */
    char best[NYTP_CLOSEST_MAX + 1];
} nytp_closest;

void nytp_closest_try(nytp_closest *closest, const char *name, size_t length);

/* Returns what a message ends with: ": tree?", or "" if none is close. It is valid until the next call. */
const char *nytp_closest_hint(const nytp_closest *closest);
