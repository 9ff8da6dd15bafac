/* The addresses of exported variables in a process: those of its executable first, then of its libraries, as
 * ld.so resolves them. Dynamic symbols are read from the process's memory, so neither containers nor
 * replaced files matter. The symbols of a statically linked program are read from its file. */
#pragma once

#include "sampler/process/remote.h"

#include <stdint.h>

/* The symbol table of a program's file, which a statically linked program has instead of dynamic symbols,
 * unless it is stripped. */

typedef struct sampler_symtab sampler_symtab;

/* Reads the table of a file. Returns NULL if it has none that can be read. */
sampler_symtab *sampler_symtab_read(int fd);
void sampler_symtab_free(sampler_symtab *symtab); /* NULL is fine */

/* Returns the value of a symbol, an address before the program is moved; 0 if there is none of that name. */
uint64_t sampler_symtab_find(const sampler_symtab *symtab, const char *name);

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

/* The threads of a process, and what each of them has for a key of pthread_getspecific(3), read as
 * libthread_db does: glibc exports where its structures have what debuggers need. That works with glibc 2.34
 * and later. */

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
