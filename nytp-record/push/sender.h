/* The process that sends: it takes batches of profiles, converts them, and sends them to Pyroscope. Sampling
 * does not wait for it. */
#pragma once

#include "status.h"

#include <stdbool.h>

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
