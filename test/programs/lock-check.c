/* Complains if the collector locks a mutex while signals can interrupt it: a handler might wait for the same
 * mutex, or never return.
 *
 *   LD_PRELOAD=lock-check.so perl -d:NYTProf ...
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int can_be_interrupted(void)
{
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    return !sigismember(&blocked, SIGALRM) || !sigismember(&blocked, SIGTERM);
}

static int is_of_collector(const void *at, Dl_info *info)
{
    return dladdr(at, info) != 0 && strstr(info->dli_fname, "/NYTProf.so") != NULL;
}

/* Inline functions of perl lock mutexes that are variables of perl. */
int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*real)(pthread_mutex_t *);
    Dl_info info, owner;
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    const char *caller = __builtin_return_address(0);
    const int is_ours = dladdr(mutex, &owner) == 0 || is_of_collector(mutex, &owner);
    if (is_ours && is_of_collector(caller, &info) && can_be_interrupted())
        fprintf(stderr, "locks with signals unblocked, at 0x%lx of NYTProf.so\n",
                (unsigned long)(caller - (const char *)info.dli_fbase));
    return real(mutex);
}
