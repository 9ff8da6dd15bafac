/* How strongly a thread compresses beside a program: as strongly as it has the time for, if it has a
 * processor of its own, else with the lowest effort, which is ten times as fast as the highest.
 */
#pragma once

#include "bytes/deflate.h"

#include <stdint.h>

typedef struct nytp_effort {
    /* before the last block that was compressed with more than LOW: of the thread and of the system */
    int64_t run_ns, began_ns;
    double quota;      /* nytp_cgroup_processors() of this process; 0: not yet looked up */
    unsigned low_left; /* how many blocks are compressed with LOW before the next trial */
    unsigned low_next; /* how many there will be if that one must wait, too */
} nytp_effort;

/* Returns the effort for the next block: what there is time for, or LOW if more threads run than there are
 * processors, if a control group may use less than two, or if the last block that had more than LOW waited
 * for one. */
nytp_deflate_effort nytp_effort_begin(nytp_effort *effort, nytp_deflate_effort has_time_for);

/* Call it after a block that was compressed with more than LOW. */
void nytp_effort_end(nytp_effort *effort);
