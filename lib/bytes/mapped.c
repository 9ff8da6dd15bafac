#include "bytes/codec.h"

#include <string.h>
#include <sys/mman.h>

enum { BEFORE = 64 /* where the size is */ };

void *nytp_mapped_new(size_t size)
{
    const size_t bytes = BEFORE + size;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    memcpy(at, &bytes, sizeof bytes);
    return (char *)at + BEFORE;
}

void nytp_mapped_free(void *memory)
{
    size_t bytes;
    if (memory == NULL)
        return;
    char *at = (char *)memory - BEFORE;
    memcpy(&bytes, at, sizeof bytes);
    munmap(at, bytes);
}

void *nytp_mapped_table(void *unused, unsigned count, unsigned size)
{
    (void)unused;
    return nytp_mapped_new((size_t)count * size);
}

void nytp_mapped_table_free(void *unused, void *table)
{
    (void)unused;
    nytp_mapped_free(table);
}
