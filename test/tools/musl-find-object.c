/* What Debian's libgcc_eh.a, which is built for glibc, needs to unwind stacks with musl: finds the frames of
 * the object that has an address. (Alpine's libgcc asks dl_iterate_phdr() itself.) */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* The start of glibc's struct dl_find_object. */
struct found {
    unsigned long long flags;
    void *begin, *end, *map, *frames;
};

int find_object(void *at, struct found *found) __asm__("_dl_find_object");

static int look(struct dl_phdr_info *object, size_t size, void *found_)
{
    struct found *found = found_;
    const ElfW(Phdr) *frames = NULL;
    int is_here = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        const uintptr_t passed = (uintptr_t)found->begin - (object->dlpi_addr + segment->p_vaddr);
        is_here |= segment->p_type == PT_LOAD && passed < segment->p_memsz;
        frames = segment->p_type == PT_GNU_EH_FRAME ? segment : frames;
    }
    if (!is_here || frames == NULL)
        return 0;
    found->frames = (void *)(object->dlpi_addr + frames->p_vaddr);
    return 1;
}

int find_object(void *at, struct found *found)
{
    found->begin = at;
    return dl_iterate_phdr(look, found) ? 0 : -1;
}
