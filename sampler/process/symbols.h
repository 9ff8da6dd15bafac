/* The addresses of exported variables in a process: those of its executable first, then of its libraries, as
 * ld.so resolves them. Dynamic symbols are read from the process's memory, so neither containers nor
 * replaced files matter. */
#pragma once

#include "sampler/process/remote.h"

typedef struct sampler_object {
    uint64_t bias; /* to be added to the addresses in it */
    uint64_t symbols, strings, gnu_hash, sysv_hash;
} sampler_object;

typedef struct sampler_objects {
    sampler_object *list;
    size_t count;
    bool other_width; /* the executable is for pointers of another width */
    long reads_left;  /* of memory: tables that lead in circles must not take for ever */
} sampler_objects;

/* All ELF objects that the process has mapped, in the order in which symbols are resolved. Only those with
 * pointers of 8 bytes are read. Returns false, with errno, if /proc cannot be read. The caller frees list. */
bool sampler_objects_find(sampler_objects *objects, pid_t pid, const sampler_memory *memory);

/* The address of a symbol, and 0 for one that no object exports. */
uint64_t sampler_objects_symbol(sampler_objects *objects, const sampler_memory *memory, const char *name);
