/* Processes that have begun and not ended. Several may have the same pid: of different machines, or of runs
 * that were cut. */
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
    uint32_t index_count;               /* indexes that were given so far */
    uint32_t process_room;
    uint32_t ended; /* index + 1 of one that is free again, the first of a list; 0: none */
    uint32_t count; /* processes that have not ended */
} nytp_pids;

void nytp_pids_clear(nytp_pids *pids);

/* A process begins. Its index, under which the caller can keep what else is known of it; it is given to
 * another one after the process ended. Negative: out of memory. */
int64_t nytp_pids_begin(nytp_pids *pids, uint32_t pid);

/* A process ends: of those with that pid the one that began last. Its index; negative: there is none. */
int64_t nytp_pids_end(nytp_pids *pids, uint32_t pid);

/* How much memory they take. */
size_t nytp_pids_bytes(const nytp_pids *pids);

/* Whether the process of an index below index_count has not ended, and its pid. */
bool nytp_pids_at(const nytp_pids *pids, uint32_t index, uint32_t *pid);

#endif
