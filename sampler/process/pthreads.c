#include "sampler/process/symbols.h"

enum { MOST_THREADS = 10000, KEYS_IN_BLOCK = 32, KEY_DATA_BYTES = 16 };

/* Reads a descriptor of libthread_db: the size of a member in bits, how many there are, and its offset. */
static bool find_offset(sampler_objects *objects, const sampler_memory *memory, const char *name,
                        uint32_t *offset)
{
    uint32_t descriptor[3];
    uint64_t at = sampler_objects_symbol(objects, memory, name);
    if (at == 0 || !sampler_memory_read(memory, at, descriptor, sizeof descriptor))
        return false;
    *offset = descriptor[2];
    return true;
}

bool sampler_pthreads_find(sampler_pthreads *p, sampler_objects *objects, const sampler_memory *memory,
                           const char *key)
{
    uint32_t used, user;
    uint64_t linker = sampler_objects_symbol(objects, memory, "_rtld_global");
    *p = (sampler_pthreads){.key = sampler_objects_symbol(objects, memory, key)};
    if (p->key == 0 || linker == 0 ||
        !find_offset(objects, memory, "_thread_db_rtld_global__dl_stack_used", &used) ||
        !find_offset(objects, memory, "_thread_db_rtld_global__dl_stack_user", &user) ||
        !find_offset(objects, memory, "_thread_db_pthread_list", &p->list) ||
        !find_offset(objects, memory, "_thread_db_pthread_tid", &p->tid) ||
        !find_offset(objects, memory, "_thread_db_pthread_specific", &p->specific) ||
        !find_offset(objects, memory, "_thread_db_pthread_key_data_data", &p->data))
        return false;
    p->lists[0] = linker + used;
    p->lists[1] = linker + user;
    return true;
}

/* Returns where a thread has what it has for a key; 0: nowhere. */
static uint64_t slot_of(const sampler_pthreads *p, const sampler_memory *memory, uint64_t thread,
                        uint32_t key)
{
    uint64_t block =
        sampler_memory_pointer(memory, thread + p->specific + (uint64_t)(key / KEYS_IN_BLOCK) * sizeof block);
    return block != 0 ? block + (uint64_t)(key % KEYS_IN_BLOCK) * KEY_DATA_BYTES + p->data : 0;
}

/* A list is a ring, whose head is no thread. It may change meanwhile, and end anywhere. */
void sampler_pthreads_each(const sampler_pthreads *p, const sampler_memory *memory, sampler_pthread_fn *visit,
                           void *context)
{
    uint32_t key;
    if (p->lists[0] == 0 || !sampler_memory_read(memory, p->key, &key, sizeof key))
        return;
    for (int list = 0; list < 2; list++) {
        uint64_t at = sampler_memory_pointer(memory, p->lists[list]);
        for (int n = 0; n < MOST_THREADS && at != 0 && at != p->lists[list]; n++) {
            const uint64_t thread = at - p->list, slot = slot_of(p, memory, thread, key);
            const pid_t tid = (pid_t)sampler_memory_u32(memory, thread + p->tid);
            if (tid > 0 && sampler_memory_pointer(memory, slot) != 0)
                visit(context, tid, slot);
            at = sampler_memory_pointer(memory, at);
        }
    }
}
