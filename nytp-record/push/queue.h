/* The profiles that wait to be sent: files, oldest first, bounded by their bytes and their age. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct record_queue record_queue;

/* Pyroscope rejects what is older than an hour; a minute of that is for sending. */
#define RECORD_QUEUE_MOST_AGE_S INT64_C(3540)
#define RECORD_QUEUE_MOST_BYTES ((uint64_t)64 << 20)

typedef struct record_waiting {
    char *path, *series;
    int64_t from_s, until_s; /* since 1970 */
    uint64_t samples, bytes;
} record_waiting;

/* What became of profiles. */
typedef struct record_queue_counts {
    uint64_t sent, waiting, dropped;
    uint64_t dropped_samples;
} record_queue_counts;

record_queue *record_queue_new(uint64_t most_bytes, int64_t most_age_s);

/* Removes the files, too. */
void record_queue_free(record_queue *queue);

/* Adds a profile, which takes ownership of its strings and of its file. */
void record_queue_add(record_queue *queue, const record_waiting *profile);

/* Drops the oldest profiles that are too many or too old. Returns the reason if any was dropped, or NULL. */
const char *record_queue_bound(record_queue *queue, int64_t now_s);

/* Returns the oldest profile, or NULL if none. It is valid until one of the next two calls, which remove it.
 */
const record_waiting *record_queue_first(const record_queue *queue);
void record_queue_sent(record_queue *queue);
void record_queue_drop(record_queue *queue);

/* Counts a profile as dropped that never came here. */
void record_queue_count_dropped(record_queue *queue, uint64_t samples);

record_queue_counts record_queue_count(const record_queue *queue);
