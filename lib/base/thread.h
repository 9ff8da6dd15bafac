/* Threads of our own inside a program that is not ours. */
#ifndef NYTP_BASE_THREAD_H
#define NYTP_BASE_THREAD_H

#include <pthread.h>

/* As pthread_create(), with all signals blocked: they are for the program's own threads. */
int nytp_thread_start(pthread_t *thread, void *(*work_of)(void *), void *argument);

#endif
