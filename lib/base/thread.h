/* Starting threads of our own in a program that is not ours. */
#pragma once

#include <pthread.h>

/* Like pthread_create(), and returns what that returns. The thread has a small stack and blocks all signals,
 * which are for the program's own threads. */
int nytp_thread_start(pthread_t *thread, void *(*work_of)(void *), void *argument);
