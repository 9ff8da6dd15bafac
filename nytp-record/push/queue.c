#include "sender.h"

#include <glib.h>
#include <unistd.h>

struct record_queue {
    GQueue profiles; /* of record_waiting, oldest first */
    uint64_t bytes, most_bytes;
    int64_t most_age_s;
    record_queue_counts counts;
};

record_queue *record_queue_new(uint64_t most_bytes, int64_t most_age_s)
{
    record_queue *q = g_new0(record_queue, 1);
    q->most_bytes = most_bytes;
    q->most_age_s = most_age_s;
    return q;
}

/* Removes the oldest one, and returns how many samples it had. */
static uint64_t remove_first(record_queue *q)
{
    record_waiting *first = g_queue_pop_head(&q->profiles);
    const uint64_t samples = first->samples;
    q->bytes -= first->bytes;
    unlink(first->path);
    g_free(first->path);
    g_free(first->series);
    g_free(first);
    return samples;
}

void record_queue_free(record_queue *q)
{
    while (!g_queue_is_empty(&q->profiles))
        remove_first(q);
    g_free(q);
}

void record_queue_add(record_queue *q, const record_waiting *profile)
{
    record_waiting *copy = g_new(record_waiting, 1);
    *copy = *profile;
    g_queue_push_tail(&q->profiles, copy);
    q->bytes += profile->bytes;
}

const record_waiting *record_queue_first(const record_queue *q)
{
    return g_queue_peek_head((GQueue *)&q->profiles);
}

void record_queue_sent(record_queue *q)
{
    remove_first(q);
    q->counts.sent++;
}

void record_queue_drop(record_queue *q)
{
    record_queue_count_dropped(q, remove_first(q));
}

void record_queue_count_dropped(record_queue *q, uint64_t samples)
{
    q->counts.dropped++;
    q->counts.dropped_samples += samples;
}

const char *record_queue_bound(record_queue *q, int64_t now_s)
{
    const char *why = NULL;
    for (; q->bytes > q->most_bytes; why = "more than 64 MiB wait")
        record_queue_drop(q);
    const record_waiting *first;
    for (; (first = record_queue_first(q)) != NULL && now_s - first->from_s > q->most_age_s;
         why = "they are an hour old, and Pyroscope rejects what is older")
        record_queue_drop(q);
    return why;
}

record_queue_counts record_queue_count(const record_queue *q)
{
    record_queue_counts counts = q->counts;
    counts.waiting = g_queue_get_length((GQueue *)&q->profiles);
    return counts;
}
