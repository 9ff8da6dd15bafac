/* A memory that reads whole pages of another one and keeps some of them until it is told to forget: ops,
 * names and the like lie close together, and each system call costs more than the bytes of a page. */
#pragma once

#include "sampler/process/remote.h"

typedef struct sampler_pages sampler_pages;

/* Keeps a pointer to the other memory. */
sampler_pages *sampler_pages_new(const sampler_memory *memory);
void sampler_pages_free(sampler_pages *pages); /* NULL is fine */

sampler_memory sampler_pages_memory(sampler_pages *pages);

/* Forgets all pages, so that they are read again. Call it before each look-up that needs the present state.
 */
void sampler_pages_forget(sampler_pages *pages);
