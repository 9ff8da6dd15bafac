/* Another process's memory, to be read only. What is read may be anything, and may change at any moment. The
 * reading goes through a function, so that a recorded image can stand in for a process. */
#ifndef RECORD_MEMORY_H
#define RECORD_MEMORY_H

#include "layout.h"

#include <stddef.h>
#include <sys/types.h>

typedef struct record_piece {
    uint64_t address;
    size_t size;
    void *to;
} record_piece;

/* Reads count pieces in their order. Returns how many were read wholly before one failed. errno says
 * why if that was the first one. */
typedef int record_read_fn(void *context, const record_piece *pieces, int count);

typedef struct record_memory {
    record_read_fn *read;
    void *context;
} record_memory;

/* The memory of a process, through process_vm_readv(2). *pid must live as long as that. */
record_memory record_memory_of(const pid_t *pid);

/* Any number of pieces, in few system calls. Returns as record_read_fn does. */
int record_memory_read_pieces(const record_memory *memory, const record_piece *pieces, int count);

bool record_memory_read(const record_memory *memory, uint64_t address, void *to, size_t size);

/* A pointer, which has 8 bytes, and a number of 4 bytes; 0 where it cannot be read. */
uint64_t record_memory_pointer(const record_memory *memory, uint64_t address);
uint32_t record_memory_u32(const record_memory *memory, uint64_t address);

/* Up to size - 1 bytes of a string that a 0 byte ends. false, and an empty string: there is none so short. */
bool record_memory_string(const record_memory *memory, uint64_t address, char *to, size_t size);

#endif
