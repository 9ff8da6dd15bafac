/* A program that embeds perl and has a malloc() of its own, linked into it: perl's calls of it go through no
 * slot. */
#include <stddef.h>
#include <string.h>
#include <stdint.h>
#include <pthread.h>
#include "EXTERN.h"
#include "perl.h"
#undef malloc
#undef calloc
#undef realloc
#undef free
/* Gives memory from one large array, and takes none back. */
static char pool[512 << 20];
static size_t used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *malloc(size_t size)
{
    pthread_mutex_lock(&lock);
    size_t *at = (size_t *)(pool + used);
    used += (size + 16 + 15) / 16 * 16;
    pthread_mutex_unlock(&lock);
    *at = size;
    return at + 2;
}
void free(void *p)
{
    (void)p;
}
void *calloc(size_t n, size_t size)
{
    return memset(malloc(n * size), 0, n * size);
}
void *realloc(void *old, size_t size)
{
    void *at = malloc(size);
    if (old != NULL) {
        size_t had = ((size_t *)old)[-2];
        memcpy(at, old, had < size ? had : size);
    }
    return at;
}
EXTERN_C void boot_DynaLoader(pTHX_ CV *cv);
static void xs_init(pTHX)
{
    newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__);
}
int main(int argc, char **argv, char **env)
{
    PERL_SYS_INIT3(&argc, &argv, &env);
    PerlInterpreter *my_perl = perl_alloc();
    perl_construct(my_perl);
    PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
    int status = perl_parse(my_perl, xs_init, argc, argv, NULL);
    if (status == 0)
        status = perl_run(my_perl);
    int end = perl_destruct(my_perl);
    perl_free(my_perl);
    return status ? status : end;
}
