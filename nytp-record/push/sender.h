/* Sending profiles: how they are handed to the process that sends, how they wait there, and how they go to
 * the server. */
#pragma once

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

/* How one process hands profiles to the other that sends them: files in a directory, and for each interval a
 * list of its files, which appears when all of them are complete. */

/* One profile of one process, a file in the directory. */
typedef struct record_profile_part {
    char *path;
    uint64_t samples;
    int64_t from_s, until_s; /* since 1970 */
    char *series;
} record_profile_part;

/* Returns an array of record_profile_part, which owns their strings. */
GArray *record_batch_new(void);

/* Writes a list. Lists are numbered from 0. Returns whether that was done; errno says why not. */
bool record_batch_write(const char *directory, uint64_t number, const GArray *parts);

/* Returns what a list has, for g_array_unref(), and removes its file. NULL if the list is not there yet. */
GArray *record_batch_take(const char *directory, uint64_t number);

/* Removes a directory of batches and all files in it. */
void record_batch_remove_directory(const char *directory);

/* Sends files by HTTP, with libcurl, which is loaded only when this is used: it and the libraries that it
 * needs would slow down the start of each nytp-record. */

typedef struct record_http record_http;

/* Called at least once a second while a server is waited for. The wait ends when it returns true. */
typedef bool record_http_stop_fn(void *context);

/* Returns NULL after setting why, in a sentence, if libcurl is not there. */
record_http *record_http_new(record_http_stop_fn *stop, void *context, char *why, size_t why_size);
void record_http_free(record_http *http);

typedef struct record_answer {
    long status;           /* of HTTP; 0: no answer came, and text says why */
    int64_t retry_after_s; /* 0: the answer does not say */
    char text[256];        /* the first line of the answer */
} record_answer;

/* Connects to the server of a URL and sends nothing. The status is 0 or 200. */
record_answer record_http_reach(record_http *http, const char *url);

/* Sends bytes to a URL by POST. */
record_answer record_http_post(record_http *http, const char *url, const char *bytes, size_t size);

typedef struct record_pace {
    int64_t at_ns;    /* not before; 0: at once */
    int64_t pause_ns; /* the next one, unless the server asks for another */
    int64_t asked_ns; /* at_ns if the server asked for that; else 0 */
} record_pace;

/* It took one. */
void record_pace_done(record_pace *pace);

/* It could not: the pause is 1 s at first, and twice as long each time, up to 60 s. retry_after_s: what the
 * server asks for; 0: nothing. */
void record_pace_failed(record_pace *pace, int64_t now_ns, int64_t retry_after_s);

/* There is little time left: begins again with a pause of 1 s, unless the server asked for more. */
void record_pace_hurry(record_pace *pace, int64_t now_ns);

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

/* The process that sends: it takes batches of profiles, converts them, and sends them to Pyroscope. Sampling
 * does not wait for it. */

/* What it has done so far, in memory that nytp-record shares with it. */
typedef struct record_push_status {
    _Atomic uint64_t batches; /* that it has taken */
    _Atomic uint64_t sent, waiting, dropped, dropped_samples;
    _Atomic uint64_t cpu_us; /* processor time of it and of the programs that it ran */
} record_push_status;

/* Returns the processor time of this process, or with RUSAGE_CHILDREN that of programs that it has run. */
static inline uint64_t record_push_cpu_us(int who)
{
    const uint64_t second_us = 1000000;
    struct rusage used;
    getrusage(who, &used);
    return ((uint64_t)used.ru_utime.tv_sec + (uint64_t)used.ru_stime.tv_sec) * second_us +
           (uint64_t)used.ru_utime.tv_usec + (uint64_t)used.ru_stime.tv_usec;
}

typedef struct record_sender_options {
    const char *url;    /* of the server */
    const char *server; /* the same for messages: without a password */
    const char *directory;
    double rate_hz;
    int fd; /* a socket: a byte for each batch, and the end */
    record_push_status *status;
} record_sender_options;

/* How long it goes on sending after the end of the recording. */
enum { RECORD_SENDER_LAST_S = 10 };

/* Writes a byte to the socket when it is ready, and runs until the recording has ended and all is sent, or
 * cannot be. SIGALRM ends it early. Returns false if it was never ready, which was said. */
bool record_sender_run(const record_sender_options *options);
