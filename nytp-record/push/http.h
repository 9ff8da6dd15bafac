/* Sends files by HTTP, with libcurl, which is loaded only when this is used: it and the libraries that it
 * needs would slow down the start of each nytp-record. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
