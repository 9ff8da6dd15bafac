#include "base/thread.h"

int nytp_thread_start(pthread_t *thread, void *(*work_of)(void *), void *argument)
{
    enum { STACK_BYTES = 512 << 10 }; /* compressing and inflating need little of it */
    const sigset_t before = nytp_signals_block();
    pthread_attr_t attributes;
    int rc = pthread_attr_init(&attributes);
    if (rc == 0) {
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
        rc = pthread_create(thread, &attributes, work_of, argument);
        pthread_attr_destroy(&attributes);
    }
    nytp_signals_restore(&before);
    return rc;
}
