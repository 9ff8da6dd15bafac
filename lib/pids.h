/* Processes that have begun and not ended. One pid may be that of several: of machines, or of runs that were
 * cut. */
#ifndef NYTP_PIDS_H
#define NYTP_PIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros: none. */
typedef struct nytp_pids {
    struct nytp_pid_slot *slots; /* a hash of pids; at most half of them are taken */
    size_t slot_count;
    struct nytp_pid_process *processes; /* by index */
    uint32_t index_count, process_room;
    uint32_t ended; /* index + 1 of one that is free again; 0: none */
    uint32_t count;
} nytp_pids;

void nytp_pids_clear(nytp_pids *pids);

/* The index of the process, under which what else is known of it can be kept; it is given again after the
 * process ended. Negative: out of memory. */
int64_t nytp_pids_begin(nytp_pids *pids, uint32_t pid);

/* That of the process with the pid that began last; negative: there is none. */
int64_t nytp_pids_end(nytp_pids *pids, uint32_t pid);

size_t nytp_pids_bytes(const nytp_pids *pids); /* of memory */

/* Of an index below index_count: the process's pid. False: it has ended. */
bool nytp_pids_at(const nytp_pids *pids, uint32_t index, uint32_t *pid);

#endif
