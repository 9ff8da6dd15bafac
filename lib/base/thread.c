#include "base/thread.h"

#include <signal.h>

int nytp_thread_start(pthread_t *thread, void *(*work_of)(void *), void *argument)
{
    enum { STACK_BYTES = 512 << 10 }; /* compressing and inflating need little of it */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    int rc = pthread_attr_init(&attributes);
    if (rc == 0) {
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
        rc = pthread_create(thread, &attributes, work_of, argument);
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}
