/* A profile that is still being written, counted on a thread as it grows. */
#pragma once

#include "tables.h"

#include <pthread.h>

typedef struct top_follow top_follow;

/* Starts to read. tables are changed with lock held. Returns NULL if no thread can be started. */
top_follow *top_follow_new(const char *path, top_tables *tables, pthread_mutex_t *lock);

/* With lock held: whether all was read, and what to say then, "" if the profile is complete. */
bool top_follow_ended(const top_follow *follow, const char **why);

/* With lock held: what was in the file when it was opened is not of the last seconds. Has an effect until all
 * of that was read. */
void top_follow_forget_old(top_follow *follow);

/* With lock held: whether it could not be read at all, as what is not a profile. */
bool top_follow_failed(const top_follow *follow);

/* Ends the thread, and waits for it. */
void top_follow_free(top_follow *follow);
