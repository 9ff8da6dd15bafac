#include "calls/process_calls.h"

#include "base/newfile.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct nytp_process_requests {
    FILE *file; /* NULL until there is a request */
    bool is_read;
    bool has_next;
    nytp_process_request next;
    int error_number;
};

nytp_process_requests *nytp_process_requests_new(void)
{
    return g_new0(nytp_process_requests, 1);
}

void nytp_process_requests_free(nytp_process_requests *requests)
{
    if (requests == NULL)
        return;
    if (requests->file != NULL)
        fclose(requests->file);
    g_free(requests);
}

static void fail(nytp_process_requests *r)
{
    if (r->error_number == 0)
        r->error_number = errno != 0 ? errno : EIO;
}

static FILE *open_file(void)
{
    const int fd = nytp_unnamed_file();
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (file == NULL && fd >= 0)
        close(fd);
    return file;
}

void nytp_process_requests_add(nytp_process_requests *requests, const nytp_process_request *request)
{
    errno = 0;
    if (requests->file == NULL && requests->error_number == 0)
        requests->file = open_file();
    if (requests->file == NULL || fwrite(request, sizeof *request, 1, requests->file) != 1)
        fail(requests);
}

void nytp_process_requests_skip(nytp_process_requests *requests)
{
    errno = 0;
    requests->has_next = fread(&requests->next, sizeof requests->next, 1, requests->file) == 1;
    if (ferror(requests->file))
        fail(requests);
}

static void begin_reading(nytp_process_requests *r)
{
    errno = 0;
    r->is_read = true;
    if (fseek(r->file, 0, SEEK_SET) == 0) /* writes what is buffered */
        nytp_process_requests_skip(r);
    else
        fail(r);
}

const nytp_process_request *nytp_process_requests_next(nytp_process_requests *requests, uint32_t process)
{
    if (requests->file != NULL && !requests->is_read)
        begin_reading(requests);
    return requests->has_next && requests->next.process <= process ? &requests->next : NULL;
}

int nytp_process_requests_error(const nytp_process_requests *requests)
{
    return requests->error_number;
}
