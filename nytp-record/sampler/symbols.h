/* The addresses of exported variables in a process: those of its executable first, then of its libraries, as
 * ld.so resolves them. Dynamic symbols are read from the process's memory, so neither containers nor
 * replaced files matter. */
#ifndef RECORD_SYMBOLS_H
#define RECORD_SYMBOLS_H

#include "memory.h"

typedef struct record_object {
    uint64_t bias; /* to be added to the addresses in it */
    uint64_t symbols, strings, gnu_hash, sysv_hash;
} record_object;

typedef struct record_objects {
    record_object *list;
    size_t count;
    bool other_width; /* the executable is for pointers of another width */
    long reads_left;  /* of memory: tables that lead in circles must not take for ever */
} record_objects;

/* All ELF objects that the process has mapped, in the order in which symbols are resolved. Only those with
 * pointers of 8 bytes are read. false: /proc says why in errno. The caller frees list. */
bool record_objects_find(record_objects *objects, pid_t pid, const record_memory *memory);

/* The address of a symbol, and 0 for one that no object exports. */
uint64_t record_objects_symbol(record_objects *objects, const record_memory *memory, const char *name);

#endif
