/* Starting threads of our own in a program that is not ours. */
#ifndef NYTP_BASE_THREAD_H
#define NYTP_BASE_THREAD_H

#include <pthread.h>

/* pthread_create() of a thread that has all signals blocked, since they are for the program's own threads. */
int nytp_thread_start(pthread_t *thread, void *(*work_of)(void *), void *argument);

#endif
