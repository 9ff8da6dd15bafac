/* The addresses of exported variables in a process: those of its executable first, then of its libraries, as
 * ld.so resolves them. Dynamic symbols are read from the process's memory, so neither containers nor
 * replaced files matter. The symbols of a statically linked program are read from its file. */
#pragma once

#include "sampler/process/remote.h"
#include "sampler/process/symtab.h"

typedef struct sampler_object {
    uint64_t bias; /* to be added to the addresses in it */
    uint16_t
        machine; /* EM_X86_64 and so on: under qemu-user, the program has another one than the executable */
    uint64_t symbols, strings, gnu_hash, sysv_hash;
} sampler_object;

typedef struct sampler_objects {
    sampler_object *list;
    size_t count;
    size_t readable;        /* how many files are mapped whose first bytes could be read */
    bool other_width;       /* the executable is for pointers of another width */
    uint16_t machine;       /* of what had the symbol that was found last */
    bool is_static;         /* the executable is statically linked */
    uint64_t bias;          /* of a statically linked executable */
    sampler_symtab *symtab; /* of the same; NULL if it is stripped */
    long reads_left;        /* of memory: tables that lead in circles must not take for ever */
} sampler_objects;

/* Finds all ELF objects that the process has mapped, in the order in which symbols are resolved. Only those
 * with pointers of 8 bytes are read. Returns false, with errno, if /proc cannot be read. Call
 * sampler_objects_clear() in any case. */
bool sampler_objects_find(sampler_objects *objects, pid_t pid, const sampler_memory *memory);
void sampler_objects_clear(sampler_objects *objects);

/* The address of a symbol, and 0 for one that no object exports. */
uint64_t sampler_objects_symbol(sampler_objects *objects, const sampler_memory *memory, const char *name);
