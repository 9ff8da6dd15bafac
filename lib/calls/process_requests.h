/* Requests (events/requests.h) by process. They are in a file without a name, so memory does not grow with
 * their number. */
#pragma once

#include "calls/frames.h"
#include "events/requests.h"

typedef struct nytp_process_request {
    uint32_t process;         /* its index */
    uint32_t frame;           /* its name */
    double begin_s, length_s; /* since the process began */
} nytp_process_request;

typedef struct nytp_process_requests nytp_process_requests;

nytp_process_requests *nytp_process_requests_new(void);
void nytp_process_requests_free(nytp_process_requests *requests); /* NULL is fine */

void nytp_process_requests_add(nytp_process_requests *requests, const nytp_process_request *request);

/* Returns the next one, in the order of their ends, if it is one of that process or of one before it; NULL if
 * not. Valid until nytp_process_requests_skip(), which goes on to the one after it. No more can be added
 * then. */
const nytp_process_request *nytp_process_requests_next(nytp_process_requests *requests, uint32_t process);
void nytp_process_requests_skip(nytp_process_requests *requests);

/* Returns 0, or the errno of what went wrong with the file; then some are missing. */
int nytp_process_requests_error(const nytp_process_requests *requests);
