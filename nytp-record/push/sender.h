/* The process that sends: it takes batches of profiles, converts them, and sends them to Pyroscope. Sampling
 * does not wait for it. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

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
