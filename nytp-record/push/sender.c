#include "sender.h"

#include "cli/say.h"
#include "nytprof.h"
#include "cli/sibling.h"
#include "model/grow.h"
#include "sampler/sampler.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const record_profile_part *part_at(const GArray *parts, guint n)
{
    return &g_array_index(parts, record_profile_part, n);
}

static bool is_first_of_series(const GArray *parts, guint n)
{
    for (guint i = 0; i < n; i++)
        if (g_strcmp0(part_at(parts, i)->series, part_at(parts, n)->series) == 0)
            return false;
    return true;
}

/* The arguments of nytp-pprof: the profiles of a series. Sets what the profile covers. */
static GPtrArray *arguments_of(const GArray *parts, guint first, record_waiting *profile)
{
    GPtrArray *arguments = g_ptr_array_new();
    g_ptr_array_add(arguments, "nytp-pprof");
    g_ptr_array_add(arguments, "--pyroscope");
    g_ptr_array_add(arguments, "-o");
    g_ptr_array_add(arguments, profile->path);
    for (guint n = first; n < parts->len; n++) {
        const record_profile_part *part = part_at(parts, n);
        if (g_strcmp0(part->series, profile->series) != 0)
            continue;
        g_ptr_array_add(arguments, part->path);
        profile->samples += part->samples;
        profile->from_s = MIN(profile->from_s, part->from_s);
        profile->until_s = MAX(profile->until_s, part->until_s);
    }
    g_ptr_array_add(arguments, NULL);
    return arguments;
}

static void convert_series(const char *directory, uint64_t number, const GArray *parts, guint first,
                           record_queue *queue)
{
    struct stat st;
    record_waiting profile = {.path = g_strdup_printf("%s/%" PRIu64 ".%u.pb.gz", directory, number, first),
                              .series = g_strdup(part_at(parts, first)->series),
                              .from_s = INT64_MAX};
    GPtrArray *arguments = arguments_of(parts, first, &profile);
    if (nytp_sibling_run((const char *const *)arguments->pdata) && stat(profile.path, &st) == 0) {
        profile.bytes = (uint64_t)st.st_size;
        record_queue_add(queue, &profile);
    } else {
        record_queue_count_dropped(queue, profile.samples);
        g_free(profile.path);
        g_free(profile.series);
    }
    g_ptr_array_free(arguments, TRUE);
}

/* Converts the record_profile_part of a batch, adds what is made to queue, and removes the profiles. Counts
 * what cannot be converted, which was said, as dropped. number: of the batch. */
static void record_convert(const char *directory, uint64_t number, const GArray *parts, record_queue *queue)
{
    for (guint n = 0; n < parts->len; n++)
        if (is_first_of_series(parts, n))
            convert_series(directory, number, parts, n, queue);
    NYTP_EACH(const record_profile_part, part, parts)
        unlink(part->path);
}

/* Of HTTP. Those from OK up to REDIRECTION say that it was taken. */
enum { OK = 200, REDIRECTION = 300, TOO_LATE = 408, TOO_MANY = 429, SERVER_ERROR = 500, STATUSES = 600 };

typedef struct sender {
    const record_sender_options *options;
    record_http *http;
    record_queue *queue;
    record_pace pace;
    uint64_t next_batch;
    bool has_ended;   /* the recording has, and SIGALRM is due */
    bool is_outage;   /* the server takes no profiles, which was said */
    bool said_bounds; /* since the server took one */
    bool said_end;
    bool said[STATUSES];
} sender;

static volatile sig_atomic_t time_is_over;

static void note_alarm(int number)
{
    (void)number;
    time_is_over = 1;
}

/* What ends a recording may reach all of its processes: Ctrl-C, a terminal that is closed, or systemctl stop.
 */
static void begin_signals(void)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGTSTP, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = note_alarm}, NULL);
}

/* Why the program does not end yet. */
static void say_end(sender *s)
{
    if (!s->has_ended || !s->is_outage || s->said_end || record_queue_first(s->queue) == NULL)
        return;
    s->said_end = true;
    nytp_say("%s: the recording has ended; its profiles are sent if that is possible within %d s (Ctrl-C "
             "ends the wait)",
             s->options->server, RECORD_SENDER_LAST_S);
}

/* Reads what wakes this process. At the end of the recording, the time that is left begins. */
static void listen_to_recording(sender *s)
{
    char bytes[64];
    ssize_t got = 1;
    while (!s->has_ended && got > 0)
        got = recv(s->options->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (s->has_ended || (got < 0 && errno == EAGAIN))
        return;
    s->has_ended = true;
    say_end(s);
    record_pace_hurry(&s->pace, sampler_now_ns());
    alarm(RECORD_SENDER_LAST_S);
}

static bool is_over(void *context)
{
    listen_to_recording(context);
    return time_is_over != 0;
}

static void publish(const sender *s)
{
    record_push_status *to = s->options->status;
    const record_queue_counts counts = record_queue_count(s->queue);
    to->batches = s->next_batch;
    to->sent = counts.sent;
    to->waiting = counts.waiting;
    to->dropped = counts.dropped;
    to->dropped_samples = counts.dropped_samples;
    to->cpu_us = record_push_cpu_us(RUSAGE_SELF) + record_push_cpu_us(RUSAGE_CHILDREN);
}

static void take_batches(sender *s)
{
    GArray *parts;
    while (time_is_over == 0 && (parts = record_batch_take(s->options->directory, s->next_batch)) != NULL) {
        record_convert(s->options->directory, s->next_batch++, parts, s->queue);
        g_array_unref(parts);
        publish(s);
    }
}

static void keep_bounds(sender *s)
{
    const char *why = record_queue_bound(s->queue, g_get_real_time() / G_USEC_PER_SEC);
    if (why != NULL && !s->said_bounds)
        nytp_say("%s: the oldest profiles are dropped: %s", s->options->server, why);
    s->said_bounds = s->said_bounds || why != NULL;
}

/* The query, as the handler of /ingest reads it. */
static char *address_of(const sender *s, const record_waiting *profile)
{
    g_autofree char *name = g_uri_escape_string(profile->series, NULL, FALSE);
    return g_strdup_printf("%s/ingest?name=%s&from=%" PRId64 "&until=%" PRId64
                           "&spyName=nytp-record&sampleRate=%.0f&format=pprof",
                           s->options->url, name, profile->from_s, profile->until_s, s->options->rate_hz);
}

static void say_outage(sender *s, const record_answer *answer)
{
    if (s->is_outage)
        return;
    s->is_outage = true;
    if (answer->status == 0)
        nytp_say("%s: cannot be reached: %s; profiles wait for at most an hour", s->options->server,
                 answer->text);
    else
        nytp_say("%s: answers %ld%s%s; profiles wait for at most an hour", s->options->server, answer->status,
                 answer->text[0] != '\0' ? ": " : "", answer->text);
}

static void note_sent(sender *s)
{
    record_queue_sent(s->queue);
    record_pace_done(&s->pace);
    if (s->is_outage)
        nytp_say("%s: takes profiles again", s->options->server);
    s->is_outage = s->said_bounds = false;
}

/* The server wants none of this profile, now or later. */
static void drop(sender *s, const record_answer *answer)
{
    const long kind = CLAMP(answer->status, 0, STATUSES - 1);
    if (!s->said[kind])
        nytp_say("%s: a profile was refused, and is dropped: %ld%s%s", s->options->server, answer->status,
                 answer->text[0] != '\0' ? " " : "", answer->text);
    s->said[kind] = true;
    record_queue_drop(s->queue);
    record_pace_done(&s->pace);
}

static bool is_for_later(long status)
{
    return status == 0 || status == TOO_LATE || status == TOO_MANY || status >= SERVER_ERROR;
}

static void send_first(sender *s)
{
    const record_waiting *first = record_queue_first(s->queue);
    g_autofree char *bytes = NULL, *address = address_of(s, first);
    gsize size;
    if (!g_file_get_contents(first->path, &bytes, &size, NULL)) {
        nytp_say("%s: cannot be read: %s", first->path, strerror(errno));
        record_queue_drop(s->queue);
        return;
    }
    const record_answer answer = record_http_post(s->http, address, bytes, size);
    if (answer.status >= OK && answer.status < REDIRECTION)
        note_sent(s);
    else if (!is_for_later(answer.status))
        drop(s, &answer);
    else if (time_is_over == 0) {
        say_outage(s, &answer);
        record_pace_failed(&s->pace, sampler_now_ns(), answer.retry_after_s);
    }
}

/* Waits for the recording, or until the next profile may be sent. */
static void wait(const sender *s)
{
    const int second_ms = 1000;
    const bool is_idle = record_queue_first(s->queue) == NULL;
    const int64_t left_ms = is_idle ? second_ms : (s->pace.at_ns - sampler_now_ns()) / 1000000 + 1;
    struct pollfd recording = {.fd = s->has_ended ? -1 : s->options->fd, .events = POLLIN};
    poll(&recording, 1, (int)CLAMP(left_ms, 0, second_ms));
}

static bool is_done(const sender *s)
{
    return s->has_ended && (time_is_over != 0 || record_queue_first(s->queue) == NULL);
}

static void send_all(sender *s)
{
    for (;;) {
        listen_to_recording(s);
        take_batches(s);
        keep_bounds(s);
        publish(s);
        if (is_done(s))
            break;
        say_end(s);
        if (record_queue_first(s->queue) != NULL && sampler_now_ns() >= s->pace.at_ns)
            send_first(s);
        else
            wait(s);
    }
}

/* Counts what there was no time for. */
static void drop_rest(sender *s)
{
    GArray *parts;
    for (; (parts = record_batch_take(s->options->directory, s->next_batch)) != NULL; s->next_batch++) {
        NYTP_EACH(const record_profile_part, part, parts)
            record_queue_count_dropped(s->queue, part->samples);
        g_array_unref(parts);
    }
    publish(s);
}

bool record_sender_run(const record_sender_options *options)
{
    char why[256];
    sender s = {.options = options};
    begin_signals();
    s.http = record_http_new(is_over, &s, why, sizeof why);
    if (s.http == NULL) {
        nytp_say("%s", why);
        return false;
    }
    s.queue = record_queue_new(RECORD_QUEUE_MOST_BYTES, RECORD_QUEUE_MOST_AGE_S);
    send(options->fd, "", 1, MSG_NOSIGNAL);
    const record_answer answer = record_http_reach(s.http, options->url);
    if (answer.status == 0 && !is_over(&s))
        say_outage(&s, &answer);
    send_all(&s);
    drop_rest(&s);
    record_http_free(s.http);
    record_queue_free(s.queue);
    record_batch_remove_directory(options->directory);
    return true;
}
