/* A memory that reads whole pages of another one and keeps some of them until it is told to forget: ops,
 * names and the like lie close together, and each system call costs more than the bytes of a page. */
#ifndef RECORD_PAGES_H
#define RECORD_PAGES_H

#include "memory.h"

typedef struct record_pages record_pages;

/* Keeps a pointer to the other memory. */
record_pages *record_pages_new(const record_memory *memory);
void record_pages_free(record_pages *pages); /* NULL is fine */

record_memory record_pages_memory(record_pages *pages);

/* Has everything be read again: whoever needs what is true from now on calls this first. */
void record_pages_forget(record_pages *pages);

#endif
