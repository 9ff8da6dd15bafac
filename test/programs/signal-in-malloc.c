/* Sends SIGUSR1 from within malloc() and its like, each 100th time, while the program has a handler for it, and complains
 * if memory is allocated before the function that was interrupted has returned.
 *
 *   LD_PRELOAD=signal-in-malloc.so perl -d:NYTProf ...
 */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static _Thread_local int inside;

static void enter(void)
{
    static const char complaint[] = "malloc() is interrupted in itself\n";
    static _Thread_local int calls;
    struct sigaction action;
    if (inside++ > 0)
        (void)!write(STDERR_FILENO, complaint, sizeof complaint - 1);
    else if (++calls % 100 == 0 && sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
        raise(SIGUSR1);
}

void *malloc(size_t size)
{
    enter();
    void *at = __libc_malloc(size);
    inside--;
    return at;
}

void *calloc(size_t count, size_t size)
{
    enter();
    void *at = __libc_calloc(count, size);
    inside--;
    return at;
}

void *realloc(void *old, size_t size)
{
    enter();
    void *at = __libc_realloc(old, size);
    inside--;
    return at;
}

void free(void *at)
{
    enter();
    __libc_free(at);
    inside--;
}
