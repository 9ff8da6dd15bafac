#include "sender.h"

#include "nytprof.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

enum { CONNECT_S = 5, WHOLE_S = 10 };

/* The functions of libcurl that are called. */
#define FUNCTIONS(ROW)                                                                                       \
    ROW(curl_global_init)                                                                                    \
    ROW(curl_easy_init)                                                                                      \
    ROW(curl_easy_setopt)                                                                                    \
    ROW(curl_easy_perform)                                                                                   \
    ROW(curl_easy_getinfo)                                                                                   \
    ROW(curl_easy_reset)                                                                                     \
    ROW(curl_easy_cleanup)                                                                                   \
    ROW(curl_easy_strerror)                                                                                  \
    ROW(curl_slist_append)                                                                                   \
    ROW(curl_slist_free_all)

/* curl.h has macros of some of these names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define MEMBER(name) __typeof__(&name) name;
struct record_http {
    FUNCTIONS(MEMBER)
    CURL *easy;
    struct curl_slist *head;
    record_http_stop_fn *stop;
    void *context;
    char error[CURL_ERROR_SIZE];
};

/* Debian has one built with each library for TLS; the first is the name elsewhere, too. */
static void *load(void)
{
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    return library != NULL ? library : dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
}

static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found); /* ISO C converts no pointer to one to a function */
    return found != NULL;
}

record_http *record_http_new(record_http_stop_fn *stop, void *context, char *why, size_t why_size)
{
    record_http *h = g_new0(record_http, 1);
    void *library = load();
    if (library == NULL)
        snprintf(why, why_size, "--push needs libcurl.so.4, which is not installed (on Debian: libcurl4)");
    bool has_all = library != NULL;
#define FIND(name) has_all = has_all && find(library, #name, &h->name);
    FUNCTIONS(FIND)
    if (!has_all && library != NULL)
        snprintf(why, why_size, "--push needs another libcurl: %s", dlerror());
    if (has_all &&
        (h->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || (h->easy = h->curl_easy_init()) == NULL))
        snprintf(why, why_size, "libcurl cannot be used");
    if (h->easy == NULL) {
        g_free(h);
        return NULL;
    }
    h->stop = stop;
    h->context = context;
    h->head = h->curl_slist_append(NULL, "Content-Type: application/octet-stream");
    h->head = h->curl_slist_append(h->head, "Expect:"); /* else libcurl waits a second for 100 Continue */
    return h;
}

void record_http_free(record_http *h)
{
    h->curl_easy_cleanup(h->easy);
    h->curl_slist_free_all(h->head);
    g_free(h);
}

static int on_progress(void *context, curl_off_t to_get, curl_off_t got, curl_off_t to_send, curl_off_t sent)
{
    const record_http *h = context;
    (void)to_get, (void)got, (void)to_send, (void)sent;
    return h->stop(h->context);
}

static size_t take_text(char *bytes, size_t size, size_t count, void *context)
{
    record_answer *answer = context;
    const size_t length = strlen(answer->text), taken = MIN(size * count, sizeof answer->text - 1 - length);
    memcpy(answer->text + length, bytes, taken);
    return size * count;
}

/* Connections are kept. Signals stay ours. */
static void begin(record_http *h, const char *url, record_answer *answer)
{
    *answer = (record_answer){0};
    h->error[0] = '\0';
    h->curl_easy_reset(h->easy);
    h->curl_easy_setopt(h->easy, CURLOPT_URL, url);
    h->curl_easy_setopt(h->easy, CURLOPT_NOSIGNAL, 1L);
    h->curl_easy_setopt(h->easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    h->curl_easy_setopt(h->easy, CURLOPT_TIMEOUT, (long)WHOLE_S);
    h->curl_easy_setopt(h->easy, CURLOPT_ERRORBUFFER, h->error);
    h->curl_easy_setopt(h->easy, CURLOPT_NOPROGRESS, 0L);
    h->curl_easy_setopt(h->easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    h->curl_easy_setopt(h->easy, CURLOPT_XFERINFODATA, h);
    h->curl_easy_setopt(h->easy, CURLOPT_WRITEFUNCTION, take_text);
    h->curl_easy_setopt(h->easy, CURLOPT_WRITEDATA, answer);
    h->curl_easy_setopt(h->easy, CURLOPT_USERAGENT, "nytp-record/" NYTP_VERSION_STRING);
}

/* Returns whether the transfer was made; otherwise text is the reason. */
static bool perform(record_http *h, record_answer *answer)
{
    const CURLcode code = h->curl_easy_perform(h->easy);
    if (code != CURLE_OK) {
        answer->status = 0;
        g_strlcpy(answer->text, h->error[0] != '\0' ? h->error : h->curl_easy_strerror(code),
                  sizeof answer->text);
    }
    answer->text[strcspn(answer->text, "\r\n")] = '\0';
    return code == CURLE_OK;
}

/* A connection without a request belongs to its handle, and is closed with it. */
record_answer record_http_reach(record_http *h, const char *url)
{
    enum { OK = 200 };
    record_answer answer;
    begin(h, url, &answer);
    h->curl_easy_setopt(h->easy, CURLOPT_CONNECT_ONLY, 1L);
    if (perform(h, &answer))
        answer.status = OK;
    h->curl_easy_cleanup(h->easy);
    h->easy = h->curl_easy_init();
    if (h->easy == NULL)
        g_error("out of memory");
    return answer;
}

record_answer record_http_post(record_http *h, const char *url, const char *bytes, size_t size)
{
    record_answer answer;
    curl_off_t retry_after_s = 0;
    begin(h, url, &answer);
    h->curl_easy_setopt(h->easy, CURLOPT_POST, 1L);
    h->curl_easy_setopt(h->easy, CURLOPT_POSTFIELDS, bytes);
    h->curl_easy_setopt(h->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
    h->curl_easy_setopt(h->easy, CURLOPT_HTTPHEADER, h->head);
    if (!perform(h, &answer))
        return answer;
    h->curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &answer.status);
    if (h->curl_easy_getinfo(h->easy, CURLINFO_RETRY_AFTER, &retry_after_s) == CURLE_OK)
        answer.retry_after_s = retry_after_s;
    return answer;
}
