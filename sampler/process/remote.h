/* Another process's memory, to be read only. What is read may be anything, and may change at any moment. The
 * reading goes through a function, so that a recorded image can stand in for a process. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct sampler_piece {
    uint64_t address;
    size_t size;
    void *to;
} sampler_piece;

/* Reads count pieces in their order. Returns how many were read wholly before one failed. errno says
 * why if that was the first one. */
typedef int sampler_read_fn(void *context, const sampler_piece *pieces, int count);

typedef struct sampler_memory {
    sampler_read_fn *read;
    void *context;
} sampler_memory;

/* The memory of a process, through process_vm_readv(2). *pid must live as long as that. */
sampler_memory sampler_memory_of(const pid_t *pid);

/* Any number of pieces, in few system calls. Returns as sampler_read_fn does. */
int sampler_memory_read_pieces(const sampler_memory *memory, const sampler_piece *pieces, int count);

bool sampler_memory_read(const sampler_memory *memory, uint64_t address, void *to, size_t size);

/* A pointer, which has 8 bytes, and a number of 4 bytes; 0 where it cannot be read. */
uint64_t sampler_memory_pointer(const sampler_memory *memory, uint64_t address);
uint32_t sampler_memory_u32(const sampler_memory *memory, uint64_t address);

/* Up to size - 1 bytes of a string that a 0 byte ends. false, and an empty string: there is none so short. */
bool sampler_memory_string(const sampler_memory *memory, uint64_t address, char *to, size_t size);

/* A memory that reads whole pages of another one and keeps some of them until it is told to forget: ops,
 * names and the like lie close together, and each system call costs more than the bytes of a page. */

typedef struct sampler_pages sampler_pages;

/* Keeps a pointer to the other memory. */
sampler_pages *sampler_pages_new(const sampler_memory *memory);
void sampler_pages_free(sampler_pages *pages); /* NULL is fine */

sampler_memory sampler_pages_memory(sampler_pages *pages);

/* Forgets all pages, so that they are read again. Call it before each look-up that needs the present state.
 */
void sampler_pages_forget(sampler_pages *pages);

/* A memory that reads another one up to a limit, and then nothing more until it is renewed. What a process
 * has in its memory decides how much a look at it reads, and it may be anything. */

typedef struct sampler_budget {
    sampler_memory memory;
    uint64_t pieces_left, bytes_left;
    bool exceeded; /* something was not read */
} sampler_budget;

void sampler_budget_renew(sampler_budget *budget, uint64_t pieces, uint64_t bytes);

/* Returns the memory that the budget limits; budget must live as long. */
sampler_memory sampler_budget_memory(sampler_budget *budget);
