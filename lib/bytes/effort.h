/* How strongly a thread compresses beside a program: STRONG (deflate.h) if it has the time and a processor of
 * its own, otherwise FAST, which is ten times as fast.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_effort {
    int64_t run_ns,
        began_ns;       /* of the thread and of the system, before the block that is compressed strongly */
    unsigned fast_left; /* how many blocks are compressed fast before the next trial */
    unsigned fast_next; /* how many there will be if that one must wait, too */
} nytp_effort;

/* Whether the next block should be compressed strongly: there is time for it, no more threads run than there
 * are processors, and the last block that was compressed strongly did not wait for one. */
bool nytp_effort_begin(nytp_effort *effort, bool has_time);

/* Call it after a block that was compressed strongly. */
void nytp_effort_end(nytp_effort *effort);
