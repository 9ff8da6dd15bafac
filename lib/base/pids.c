/* An array of processes, and a hash table that finds the list of processes that have a pid. */
#include "base/pids.h"

#include "base/grow.h"
#include "base/hash.h"

#include <stdlib.h>

typedef struct nytp_pid_slot {
    uint32_t pid;
    uint32_t last; /* index + 1 of the process that began last; 0: the slot is free */
} slot;

typedef struct nytp_pid_process {
    uint32_t pid;
    uint32_t next; /* index + 1 of the previous one with that pid, or of the next free index; 0: none */
    bool open;
} process;

void nytp_pids_clear(nytp_pids *pids)
{
    free(pids->slots);
    free(pids->processes);
    *pids = (nytp_pids){0};
}

/* Open addressing with linear probing. base/slots.h is not used because slots are deleted here, which needs
 * the pid of each slot at hand. */

static size_t home_of(const nytp_pids *p, uint32_t pid)
{
    return (size_t)nytp_hash_mix(0, pid, 0) & (p->slot_count - 1);
}

/* Returns the slot of the pid, or the free one where it belongs. There must be slots. */
static slot *slot_of(const nytp_pids *p, uint32_t pid)
{
    size_t i = home_of(p, pid);
    while (p->slots[i].last != 0 && p->slots[i].pid != pid)
        i = (i + 1) & (p->slot_count - 1);
    return &p->slots[i];
}

static bool grow_slots(nytp_pids *p)
{
    enum { FIRST = 16 };
    nytp_pids grown = *p;
    grown.slot_count = p->slot_count > 0 ? p->slot_count * 2 : FIRST;
    grown.slots = calloc(grown.slot_count, sizeof *grown.slots);
    if (grown.slots == NULL)
        return false;
    for (size_t i = 0; i < p->slot_count; i++)
        if (p->slots[i].last != 0)
            *slot_of(&grown, p->slots[i].pid) = p->slots[i];
    free(p->slots);
    *p = grown;
    return true;
}

/* Backward-shift deletion: moves later entries of the probe sequence into the hole. */
static void free_slot(nytp_pids *p, slot *s)
{
    const size_t mask = p->slot_count - 1;
    size_t hole = (size_t)(s - p->slots);
    for (size_t i = (hole + 1) & mask; p->slots[i].last != 0; i = (i + 1) & mask) {
        size_t from_home = (i - home_of(p, p->slots[i].pid)) & mask;
        if (from_home >= ((i - hole) & mask)) {
            p->slots[hole] = p->slots[i];
            hole = i;
        }
    }
    p->slots[hole].last = 0;
}

static bool reserve(nytp_pids *p)
{
    if (p->count >= p->slot_count / 2 && !grow_slots(p))
        return false;
    if (p->free_index != 0)
        return true;
    process *processes = NULL;
    if (p->index_count < UINT32_MAX - 1)
        processes =
            nytp_grow(p->processes, &p->process_capacity, (size_t)p->index_count + 1, sizeof *processes);
    if (processes != NULL)
        p->processes = processes;
    return processes != NULL;
}

int64_t nytp_pids_begin(nytp_pids *pids, uint32_t pid)
{
    if (!reserve(pids))
        return -1;
    slot *s = slot_of(pids, pid);
    uint32_t index = pids->free_index != 0 ? pids->free_index - 1 : pids->index_count++;
    if (pids->free_index != 0)
        pids->free_index = pids->processes[index].next;
    pids->processes[index] = (process){pid, s->last, true};
    *s = (slot){pid, index + 1};
    pids->count++;
    return index;
}

int64_t nytp_pids_end(nytp_pids *pids, uint32_t pid)
{
    slot *s = pids->count > 0 ? slot_of(pids, pid) : NULL;
    if (s == NULL || s->last == 0)
        return -1;
    uint32_t index = s->last - 1;
    process *ended = &pids->processes[index];
    s->last = ended->next;
    if (s->last == 0)
        free_slot(pids, s);
    *ended = (process){pid, pids->free_index, false};
    pids->free_index = index + 1;
    pids->count--;
    return index;
}

size_t nytp_pids_bytes(const nytp_pids *pids)
{
    return pids->slot_count * sizeof *pids->slots + pids->process_capacity * sizeof *pids->processes;
}

bool nytp_pids_at(const nytp_pids *pids, uint32_t index, uint32_t *pid)
{
    *pid = pids->processes[index].pid;
    return pids->processes[index].open;
}
