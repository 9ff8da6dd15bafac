/* The processes of a profile that have begun and not ended. Several may have the same pid: those of different
 * machines, or of runs that were cut. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Empty when all of it is zero. */
typedef struct nytp_pids {
    struct nytp_pid_slot *slots; /* a hash table of pids, with a load factor of at most 1/2 */
    size_t slot_count;
    struct nytp_pid_process *processes; /* by index */
    uint32_t index_count;               /* how many indexes were ever used */
    size_t process_capacity;
    uint32_t free_index; /* the first of the list of free indexes, + 1; 0: there is none */
    uint32_t count;      /* processes that have not ended */
} nytp_pids;

/* Frees what pids owns; it is empty then. */
void nytp_pids_clear(nytp_pids *pids);

/* Adds a process that begins. Returns its index, under which the caller can keep more about it; once the
 * process has ended, another one may receive that index. Returns a negative number when out of memory. */
int64_t nytp_pids_begin(nytp_pids *pids, uint32_t pid);

/* Removes the process that ends: the one that began last among those with that pid. Returns its index; a
 * negative number if there is none. */
int64_t nytp_pids_end(nytp_pids *pids, uint32_t pid);

/* Returns how much memory pids owns. */
size_t nytp_pids_bytes(const nytp_pids *pids);

/* Returns whether an index below index_count is that of a process that has not ended, and stores its pid. */
bool nytp_pids_at(const nytp_pids *pids, uint32_t index, uint32_t *pid);
