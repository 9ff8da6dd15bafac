/* The samples that are live, by address; and the lock of what the threads of the process share in this
 * folder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread that has the lock allocates without being followed (samples.h), takes no other lock and calls
 * nothing of perl. */
void prof_heap_lock(void);
void prof_heap_unlock(void);

/* How many samples have an address with that hash; 255 stays, whatever is freed. */
enum { PROF_HEAP_MARKS = 1 << 16 };
extern uint8_t prof_heap_marks[PROF_HEAP_MARKS] __attribute__((visibility("hidden")));

/* Reads a byte that other threads may be writing: what they write is about other memory than the caller's. As
 * an atomic, it would take an instruction more. */
static inline bool prof_heap_may_be_sample(const void *at)
{
    const uintptr_t number = (uintptr_t)at >> 4 & (PROF_HEAP_MARKS - 1);
    return prof_heap_marks[number] != 0;
}

typedef struct prof_sample {
    void *at;
    size_t size, bytes; /* that were asked for, and that the block takes */
    uint32_t site;      /* its number in the stream; 0: it has no record */
    uint32_t slot;      /* in the stream; PROF_NO_SLOT if it has no record */
    uint32_t walk;      /* that last came to it (holders.h), from 1 on */
    unsigned sparser;   /* it is one in 2^sparser as many bytes as usual */
} prof_sample;

#define PROF_NO_SLOT UINT32_MAX

/* The functions below are called with the lock. */

/* Returns the sample at that address, which is valid until another one is added or removed; NULL if none. */
prof_sample *prof_address_find(const void *at);

/* Adds a sample. There must be none at its address. */
void prof_address_add(const prof_sample *sample);

void prof_address_remove(prof_sample *sample);

/* Calls visit for each sample. */
void prof_address_each(void (*visit)(void *context, prof_sample *sample), void *context);
