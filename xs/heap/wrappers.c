#include "heap/wrappers.h"

#include "heap/samples.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* Returns whether the thread had size bytes left. A sign takes one instruction on memory, where a carry takes
 * three. (A size of more than INT64_MAX cannot be allocated; it only moves the next sample.) */
__attribute__((always_inline)) static inline bool count_down(size_t size)
{
    prof_heap_thread *t = &prof_heap_of_thread;
    t->left_bytes = (int64_t)((uint64_t)t->left_bytes - size);
    return LIKELY(t->left_bytes >= 0);
}

/* Functions are called by their names, never through pointers: a pointer would have the address that other
 * objects use, and that may lead back here. */

static __attribute__((noinline)) void *malloc_slowly(size_t size)
{
    return prof_samples_take(malloc(size), size);
}

static void *wrap_malloc(size_t size)
{
    return count_down(size) ? malloc(size) : malloc_slowly(size);
}

static void *wrap_calloc(size_t count, size_t size)
{
    void *at = calloc(count, size);
    return count_down(count * size) ? at : prof_samples_take(at, count * size);
}

static __attribute__((noinline)) void free_slowly(void *at)
{
    prof_samples_drop(at, NULL);
    free(at);
}

static void wrap_free(void *at)
{
    if (UNLIKELY(prof_heap_may_be_sample(at)))
        free_slowly(at);
    else
        free(at);
}

/* Takes the old memory out before, since another thread may get its address at once. is_due: the new memory
 * is a sample. */
static __attribute__((noinline)) void *realloc_slowly(void *old, size_t size, bool is_due)
{
    prof_sample was;
    const bool was_sample = old != NULL && prof_samples_drop(old, &was);
    void *at = realloc(old, size);
    if (at == NULL && size > 0 && was_sample)
        prof_samples_put_back(&was);
    return is_due ? prof_samples_take(at, size) : at;
}

static void *wrap_realloc(void *old, size_t size)
{
    const bool is_due = !count_down(size);
    return LIKELY(!is_due && !prof_heap_may_be_sample(old)) ? realloc(old, size)
                                                            : realloc_slowly(old, size, is_due);
}

static void *wrap_reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return wrap_realloc(old, bytes);
}

static int wrap_posix_memalign(void **at, size_t alignment, size_t size)
{
    const int error_number = posix_memalign(at, alignment, size);
    if (!count_down(size))
        prof_samples_take(error_number == 0 ? *at : NULL, size);
    return error_number;
}

static void *wrap_aligned_alloc(size_t alignment, size_t size)
{
    void *at = aligned_alloc(alignment, size);
    /* cppcheck-suppress uninitdata ; nobody reads what is there */
    return count_down(size) ? at : prof_samples_take(at, size);
}

static void *wrap_memalign(size_t alignment, size_t size)
{
    void *at = memalign(alignment, size);
    return count_down(size) ? at : prof_samples_take(at, size);
}

static void *wrap_valloc(size_t size)
{
    void *at = valloc(size);
    return count_down(size) ? at : prof_samples_take(at, size);
}

#define WRAP(function)                                                                                       \
    {                                                                                                        \
#function, (prof_function *)wrap_##function, 0                                                       \
    }

static prof_import wrapped[] = {
    WRAP(malloc),         WRAP(calloc),        WRAP(realloc),  WRAP(reallocarray), WRAP(free),
    WRAP(posix_memalign), WRAP(aligned_alloc), WRAP(memalign), WRAP(valloc),
};

prof_imports prof_wrappers = {wrapped, sizeof wrapped / sizeof wrapped[0]};
