#include "heap/imports.h"

#include "heap/samples.h"
#include "heap/threads.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* The bytes that a block takes. glibc has them in front of it: reading them takes a load. The lowest bits say
 * something of the block and its neighbours, and change. The compiler must not see where they are, since it
 * takes that for a mistake. */
__attribute__((always_inline)) static inline size_t size_in_glibc(const void *at)
{
    const size_t *header = at;
    __asm__("" : "+r"(header));
    return header[-1] & ~(size_t)7;
}

/* Functions are called by their names, never through pointers: a pointer would have the address that other
 * objects use, and that may lead back here. Each is there twice, with is_glibc as a constant. */
#define INLINE __attribute__((always_inline)) static inline

INLINE size_t size_of(void *at, bool is_glibc)
{
    return is_glibc ? size_in_glibc(at) : malloc_usable_size(at);
}

/* The thread has asked for size bytes, and was given the block, which may be NULL. Returns it. Bytes are
 * counted down to below 0, as a sign takes one instruction on memory where a carry takes three. (A size of
 * more than INT64_MAX cannot be allocated.) */
INLINE void *given(void *at, size_t size, bool is_glibc)
{
    prof_heap_thread *t = &prof_heap_of_thread;
    if (UNLIKELY(at == NULL))
        return NULL;
    const size_t bytes = size_of(at, is_glibc);
    t->given_bytes += bytes;
    t->left_bytes = (int64_t)((uint64_t)t->left_bytes - size);
    return LIKELY(t->left_bytes >= 0) ? at : prof_samples_take(at, size, bytes);
}

static __attribute__((noinline)) void free_sample(void *at, size_t bytes)
{
    prof_samples_drop(at, NULL);
    prof_heap_of_thread.returned_bytes += bytes;
    free(at);
}

INLINE void free_counted(void *at, bool is_glibc)
{
    if (UNLIKELY(at == NULL))
        return;
    const size_t bytes = size_of(at, is_glibc);
    if (UNLIKELY(prof_heap_may_be_sample(at))) {
        free_sample(at, bytes);
    } else {
        prof_heap_of_thread.returned_bytes += bytes;
        free(at);
    }
}

/* Takes the old block out before, since another thread may get its address at once. If the new one cannot be
 * had, the old one stays. */
INLINE void *realloc_counted(void *old, size_t size, bool is_glibc)
{
    prof_sample was;
    const size_t bytes = old != NULL ? size_of(old, is_glibc) : 0;
    const bool was_sample = prof_heap_may_be_sample(old) && prof_samples_drop(old, &was);
    void *at = realloc(old, size);
    if (LIKELY(at != NULL || size == 0))
        prof_heap_of_thread.returned_bytes += bytes;
    else if (was_sample)
        prof_samples_put_back(&was);
    return given(at, size, is_glibc);
}

INLINE void *reallocarray_counted(void *old, size_t count, size_t size, bool is_glibc)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc_counted(old, bytes, is_glibc);
}

INLINE int posix_memalign_counted(void **at, size_t alignment, size_t size, bool is_glibc)
{
    const int error_number = posix_memalign(at, alignment, size);
    if (error_number == 0)
        given(*at, size, is_glibc);
    return error_number;
}

/* clang-format off */
#define WRAPPERS(of, is_glibc)                                                                               \
    static void *malloc_##of(size_t size) { return given(malloc(size), size, is_glibc); }                    \
    static void *calloc_##of(size_t count, size_t size)                                                      \
    {                                                                                                        \
        return given(calloc(count, size), count * size, is_glibc);                                           \
    }                                                                                                        \
    static void free_##of(void *at) { free_counted(at, is_glibc); }                                          \
    static void *realloc_##of(void *old, size_t size) { return realloc_counted(old, size, is_glibc); }       \
    static void *reallocarray_##of(void *old, size_t count, size_t size)                                     \
    {                                                                                                        \
        return reallocarray_counted(old, count, size, is_glibc);                                             \
    }                                                                                                        \
    static int posix_memalign_##of(void **at, size_t alignment, size_t size)                                 \
    {                                                                                                        \
        return posix_memalign_counted(at, alignment, size, is_glibc);                                        \
    }                                                                                                        \
    static void *aligned_alloc_##of(size_t alignment, size_t size)                                           \
    {                                                                                                        \
        return given(aligned_alloc(alignment, size), size, is_glibc);                                        \
    }                                                                                                        \
    static void *memalign_##of(size_t alignment, size_t size)                                                \
    {                                                                                                        \
        return given(memalign(alignment, size), size, is_glibc);                                             \
    }                                                                                                        \
    static void *valloc_##of(size_t size) { return given(valloc(size), size, is_glibc); }                    \
    static prof_import wrapped_##of[] = {                                                                    \
        IMPORT(malloc, of),         IMPORT(calloc, of),        IMPORT(realloc, of),                          \
        IMPORT(reallocarray, of),   IMPORT(free, of),          IMPORT(posix_memalign, of),                   \
        IMPORT(aligned_alloc, of),  IMPORT(memalign, of),      IMPORT(valloc, of),                           \
    };

#define IMPORT(function, of) {#function, (prof_function *)function##_##of, 0}

WRAPPERS(glibc, true)
WRAPPERS(other, false)
/* clang-format on */

enum { WRAPPED = sizeof wrapped_glibc / sizeof wrapped_glibc[0] };

/* Whether the size in front of a new block is what glibc writes there: at least 32, 8 bytes for itself, and a
 * multiple of 16. It may leave a rest of 16 with the block. Large blocks have pages of their own. Another
 * malloc() may give a page whose predecessor cannot be read; so of a block that begins a page nothing is
 * known, and another one is looked at. */
__attribute__((no_sanitize("address"))) static bool has_size_of_glibc(size_t size, int tries)
{
    enum { HEADER = 8, UNIT = 16, LEAST = 32, PAGE = 4096, OF_PAGES = 2 };
    char *at = malloc(size);
    if (at == NULL)
        return false;
    const size_t in_page = (uintptr_t)at % PAGE;
    bool is_same;
    if (in_page >= UNIT) {
        const size_t bytes = size_in_glibc(at);
        const size_t least = (size + HEADER + UNIT - 1) / UNIT * UNIT;
        const bool has_pages = in_page == UNIT && bytes % PAGE == 0;
        is_same = has_pages ? bytes > size && bytes - size <= OF_PAGES * (size_t)PAGE
                            : bytes == (least > LEAST ? least : LEAST) || bytes == least + UNIT;
    } else {
        is_same = tries > 1 && has_size_of_glibc(size, tries - 1);
    }
    free(at);
    return is_same;
}

static bool is_glibc(void)
{
    enum { TRIES = 4 };
    static const size_t sizes[] = {1, 24, 25, 100, 1000, 4000, 30000, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (!has_size_of_glibc(sizes[i], TRIES))
            return false;
    return true;
}

/* Whether malloc_usable_size() is of the malloc() that is called. */
static bool can_ask(void)
{
    Dl_info of_malloc, of_size;
    return dladdr(dlsym(RTLD_DEFAULT, "malloc"), &of_malloc) != 0 &&
           dladdr(dlsym(RTLD_DEFAULT, "malloc_usable_size"), &of_size) != 0 &&
           of_malloc.dli_fbase == of_size.dli_fbase;
}

prof_imports *prof_wrappers(void)
{
    static prof_imports of_glibc = {wrapped_glibc, WRAPPED}, of_other = {wrapped_other, WRAPPED};
    static prof_imports *chosen;
    if (chosen == NULL)
        chosen = is_glibc() ? &of_glibc : can_ask() ? &of_other : NULL;
    return chosen;
}
