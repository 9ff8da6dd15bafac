/* Counts the bytes of malloc()'s blocks as it rounds them up, with glibc's 8 of its own for each, and to 8
 * with musl's, which says only what was asked for. At the end of the process writes to the file COUNTED how
 * many were live at most, and how many were allocated in all. Another malloc() may come after it in
 * LD_PRELOAD.
 *
 *   COUNTED=counted LD_PRELOAD=count-malloc.so perl ...
 */
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The functions of the malloc() that comes after this library. */
static __typeof__(&malloc) next_malloc;
static __typeof__(&calloc) next_calloc;
static __typeof__(&realloc) next_realloc;
static __typeof__(&free) next_free;

static _Atomic size_t live, peak, all;
static size_t header;

static void find(void)
{
    if (next_malloc != NULL)
        return;
    next_calloc = (__typeof__(next_calloc))dlsym(RTLD_NEXT, "calloc");
    next_realloc = (__typeof__(next_realloc))dlsym(RTLD_NEXT, "realloc");
    next_free = (__typeof__(next_free))dlsym(RTLD_NEXT, "free");
    next_malloc = (__typeof__(next_malloc))dlsym(RTLD_NEXT, "malloc");
    Dl_info of_malloc, of_glibc;
    void *glibc = dlsym(RTLD_NEXT, "gnu_get_libc_version");
    if (glibc != NULL && dladdr((void *)next_malloc, &of_malloc) && dladdr(glibc, &of_glibc) &&
        of_malloc.dli_fbase == of_glibc.dli_fbase)
        header = sizeof(size_t);
}

static size_t size_of(void *at)
{
    return at != NULL ? (malloc_usable_size(at) + header + 7) / 8 * 8 : 0;
}

static void *given(void *at)
{
    const size_t bytes = size_of(at), now = atomic_fetch_add(&live, bytes) + bytes;
    size_t most = atomic_load(&peak);
    atomic_fetch_add(&all, bytes);
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {
    }
    return at;
}

void *malloc(size_t size)
{
    find();
    return given(next_malloc(size));
}
void *calloc(size_t count, size_t size)
{
    find();
    return given(next_calloc(count, size));
}

void free(void *at)
{
    find();
    atomic_fetch_sub(&live, size_of(at));
    next_free(at);
}

void *realloc(void *old, size_t size)
{
    find();
    const size_t bytes = size_of(old);
    void *at = next_realloc(old, size);
    if (at != NULL || size == 0)
        atomic_fetch_sub(&live, bytes);
    return given(at);
}

static __attribute__((destructor)) void end(void)
{
    const size_t most = peak, sum = all;
    FILE *to = getenv("COUNTED") != NULL ? fopen(getenv("COUNTED"), "w") : NULL;
    if (to != NULL && fprintf(to, "%zu %zu\n", most, sum) > 0)
        fclose(to);
}
