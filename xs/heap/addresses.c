#include "heap/addresses.h"

#include "basics/alloc.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void prof_heap_lock(void)
{
    pthread_mutex_lock(&lock);
}

void prof_heap_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

uint8_t prof_heap_marks[PROF_HEAP_MARKS];

/* Open addressing with linear probing; at NULL: free. */
static struct {
    prof_sample *at;
    size_t count, mask;
} samples;

static inline size_t home_of(const void *at)
{
    return (size_t)(((uint64_t)(uintptr_t)at >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & samples.mask;
}

static void change_mark(const void *at, int by)
{
    uint8_t *mark = &prof_heap_marks[(uintptr_t)at >> 4 & (PROF_HEAP_MARKS - 1)];
    if (*mark != UINT8_MAX)
        *mark = (uint8_t)(*mark + by);
}

/* Returns the sample's place in the table, or a free one. */
static prof_sample *slot_for(const void *at)
{
    size_t i = home_of(at);
    while (samples.at[i].at != NULL && samples.at[i].at != at)
        i = (i + 1) & samples.mask;
    return &samples.at[i];
}

static void grow(void)
{
    prof_sample *old = samples.at;
    const size_t old_slots = old != NULL ? samples.mask + 1 : 0;
    const size_t slots = old_slots > 0 ? 2 * old_slots : 1024;
    samples.at = prof_alloc(slots * sizeof *samples.at);
    samples.mask = slots - 1;
    for (size_t i = 0; i < old_slots; i++)
        if (old[i].at != NULL)
            *slot_for(old[i].at) = old[i];
    free(old);
}

prof_sample *prof_address_find(const void *at)
{
    prof_sample *slot = samples.at != NULL ? slot_for(at) : NULL;
    return slot != NULL && slot->at != NULL ? slot : NULL;
}

void prof_address_add(const prof_sample *sample)
{
    if (samples.at == NULL || samples.count > samples.mask / 2)
        grow();
    *slot_for(sample->at) = *sample;
    samples.count++;
    change_mark(sample->at, 1);
}

/* Removes a sample, and moves those back that are after it because its place was taken. */
void prof_address_remove(prof_sample *sample)
{
    size_t hole = (size_t)(sample - samples.at);
    change_mark(sample->at, -1);
    for (size_t i = (hole + 1) & samples.mask; samples.at[i].at != NULL; i = (i + 1) & samples.mask) {
        const size_t home = home_of(samples.at[i].at);
        if (((i - home) & samples.mask) >= ((i - hole) & samples.mask)) {
            samples.at[hole] = samples.at[i];
            hole = i;
        }
    }
    samples.at[hole].at = NULL;
    samples.count--;
}

void prof_address_each(void (*visit)(void *context, prof_sample *sample), void *context)
{
    for (size_t i = 0; samples.at != NULL && i <= samples.mask; i++)
        if (samples.at[i].at != NULL)
            visit(context, &samples.at[i]);
}
