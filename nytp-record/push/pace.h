/* When a server that could not take a profile is asked again. */
#pragma once

#include <stdint.h>

typedef struct record_pace {
    int64_t at_ns;    /* not before; 0: at once */
    int64_t pause_ns; /* the next one, unless the server asks for another */
    int64_t asked_ns; /* at_ns if the server asked for that; else 0 */
} record_pace;

/* It took one. */
void record_pace_done(record_pace *pace);

/* It could not: the pause is 1 s at first, and twice as long each time, up to 60 s. retry_after_s: what the
 * server asks for; 0: nothing. */
void record_pace_failed(record_pace *pace, int64_t now_ns, int64_t retry_after_s);

/* There is little time left: begins again with a pause of 1 s, unless the server asked for more. */
void record_pace_hurry(record_pace *pace, int64_t now_ns);
