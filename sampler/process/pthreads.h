/* The threads of a process, and what each of them has for a key of pthread_getspecific(3), read as
 * libthread_db does: glibc exports where its structures have what debuggers need. That works with glibc 2.34
 * and later. */
#pragma once

#include "sampler/process/symbols.h"

typedef struct sampler_pthreads {
    uint64_t lists[2]; /* of structs pthread: with stacks of glibc's, and with others; 0: not known */
    uint64_t key;      /* address of the variable that has the key */
    uint32_t list, tid, specific, data; /* offsets: in a struct pthread, and in the data of a key */
} sampler_pthreads;

/* Finds the lists, and the variable of that name. Returns false if they cannot be found. */
bool sampler_pthreads_find(sampler_pthreads *pthreads, sampler_objects *objects, const sampler_memory *memory,
                           const char *key);

/* Calls visit for each thread that has something for the key, with the address of where it has it. */
typedef void sampler_pthread_fn(void *context, pid_t tid, uint64_t slot);
void sampler_pthreads_each(const sampler_pthreads *pthreads, const sampler_memory *memory,
                           sampler_pthread_fn *visit, void *context);
