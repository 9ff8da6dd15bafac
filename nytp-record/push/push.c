#include "push.h"

#include "nytp-record/processes.h"
#include "sender.h"

#include "cli/say.h"
#include "cli/sibling.h"
#include "model/grow.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

/* How many batches may wait for the other process, which may be stopped. */
enum { MOST_BATCHES = 20 };

struct record_push {
    const record_push_options *options;
    char *server; /* its address, for messages */
    char *directory;
    pid_t sender;
    int fd; /* a byte for each batch */
    record_push_status *status;
    uint64_t profiles, batches;  /* numbers of the next ones */
    GArray *parts;               /* of this interval: record_profile_part */
    uint64_t lost, lost_samples; /* that were not handed over */
    int64_t begun_ns;            /* the interval */
    bool said_lost, said_dead;
};

char *record_push_set_url(const nytp_option *option, const char *argument)
{
    const char **url = option->context;
    const bool is_http = g_ascii_strncasecmp(argument, "http://", strlen("http://")) == 0 ||
                         g_ascii_strncasecmp(argument, "https://", strlen("https://")) == 0;
    g_autofree char *own = g_strdup(argument);
    while (g_str_has_suffix(own, "/") && !g_str_has_suffix(own, "://"))
        own[strlen(own) - 1] = '\0';
    if (!is_http || g_str_has_suffix(own, "://") || strpbrk(own, "?# \t\n") != NULL)
        return strdup("expected the address of a server, as http://localhost:4040");
    *url = g_steal_pointer(&own);
    return NULL;
}

/* Leaves out the name and the password. */
static char *without_password(const char *url)
{
    const char *host = strstr(url, "://") + strlen("://"), *at = strrchr(host, '@');
    return at == NULL ? g_strdup(url) : g_strdup_printf("%.*s%s", (int)(host - url), url, at + 1);
}

/* In the child. */
static void run_sender(const record_push *p, int fd, double rate_hz)
{
    const record_sender_options options = {p->options->url, p->server, p->directory, rate_hz, fd, p->status};
    close(p->fd);
    const bool done = record_sender_run(&options);
    _exit(done ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED);
}

/* Returns whether the process that sends was started and is ready; otherwise what went wrong was said. */
static bool start(record_push *p, double rate_hz)
{
    char byte;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        nytp_say("cannot make a socket: %s", strerror(errno));
        return false;
    }
    p->fd = ends[0];
    p->sender = fork();
    if (p->sender == 0)
        run_sender(p, ends[1], rate_hz);
    close(ends[1]);
    if (p->sender < 0)
        nytp_say("cannot start a process: %s", strerror(errno));
    ssize_t got = -1;
    while (p->sender > 0 && (got = recv(p->fd, &byte, 1, 0)) < 0 && errno == EINTR)
        ;
    return got == 1;
}

static void *shared_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

record_push *record_push_new(const record_push_options *options, double rate_hz)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *converter = nytp_sibling_find("nytp-pprof");
    record_push *p = g_new0(record_push, 1);
    p->options = options;
    p->fd = -1;
    p->server = without_password(options->url);
    p->parts = record_batch_new();
    p->status = shared_memory(sizeof *p->status);
    if (converter == NULL)
        nytp_say("--push needs nytp-pprof, which is not installed");
    else if (p->status == NULL)
        nytp_say("no memory to share: %s", strerror(errno));
    else if ((p->directory = g_dir_make_tmp("nytp-push-XXXXXX", &error)) == NULL)
        nytp_say("%s (TMPDIR says where it is)", error->message);
    else if (start(p, rate_hz)) {
        p->begun_ns = sampler_now_ns();
        return p;
    }
    record_push_free(p);
    return NULL;
}

/* It sends what is left, which may take its time. */
static void end_sender(record_push *p)
{
    int status = 0;
    close(p->fd);
    p->fd = -1;
    if (p->sender > 0)
        record_child_wait(p->sender, &status);
}

void record_push_free(record_push *p)
{
    if (p == NULL)
        return;
    if (p->fd >= 0)
        end_sender(p);
    if (p->directory != NULL)
        record_batch_remove_directory(p->directory);
    if (p->status != NULL)
        munmap(p->status, sizeof *p->status);
    g_array_unref(p->parts);
    g_free(p->directory);
    g_free(p->server);
    g_free(p);
}

bool record_push_is_alive(record_push *p)
{
    struct pollfd sender = {.fd = p->fd, .events = 0};
    if (poll(&sender, 1, 0) > 0 && !p->said_dead) {
        p->said_dead = true;
        nytp_say("the process that sends profiles has ended");
    }
    return !p->said_dead;
}

char *record_push_profile_name(record_push *p)
{
    return g_strdup_printf("%s/%" PRIu64 ".nytprof", p->directory, p->profiles++);
}

char *record_push_series_of(const record_push *p, const sampler_target *target, bool with_unit)
{
    return record_series_of(&p->options->series, target, with_unit);
}

void record_push_add(record_push *p, const record_push_profile *profile)
{
    if (profile->samples == 0) {
        unlink(profile->path);
        return;
    }
    const record_profile_part part = {g_strdup(profile->path), profile->samples,
                                      (int64_t)floor(profile->from_s), (int64_t)ceil(profile->until_s),
                                      g_strdup(profile->series)};
    g_array_append_val(p->parts, part);
}

void record_push_lose(record_push *p, const char *why, uint64_t samples)
{
    if (samples == 0)
        return;
    if (!p->said_lost)
        nytp_say("%s: profiles are lost", why);
    p->said_lost = true;
    p->lost++;
    p->lost_samples += samples;
}

bool record_push_is_due(const record_push *p, int64_t now_ns)
{
    return (double)(now_ns - p->begun_ns) >= p->options->interval_s * (double)SAMPLER_SECOND_NS;
}

static void lose_parts(record_push *p, const char *why)
{
    NYTP_EACH(const record_profile_part, part, p->parts) {
        unlink(part->path);
        record_push_lose(p, why, part->samples);
    }
}

/* Hands the profiles of the interval over, without waiting. */
static void hand_over(record_push *p)
{
    if (p->parts->len == 0)
        return;
    if (p->said_dead)
        lose_parts(p, "the process that sends profiles has ended");
    else if (p->batches - p->status->batches >= MOST_BATCHES)
        lose_parts(p, "the process that sends profiles does not go on");
    else if (!record_batch_write(p->directory, p->batches, p->parts))
        lose_parts(p, strerror(errno));
    else {
        p->batches++;
        send(p->fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    g_array_set_size(p->parts, 0);
}

void record_push_end_interval(record_push *p, int64_t now_ns)
{
    p->begun_ns = now_ns;
    hand_over(p);
}

/* A batch that was not taken counts as one profile. */
void record_push_say(const record_push *p, double lost_s)
{
    const record_push_status *s = p->status;
    const uint64_t dropped = s->dropped + p->lost, samples = s->dropped_samples + p->lost_samples;
    g_autofree char *of =
        samples > 0 ? g_strdup_printf(" with %s", nytp_counted(samples, "sample").text) : g_strdup("");
    nytp_say("%s sent to %s, %" PRIu64 " %s, %" PRIu64
             " dropped%s; %.1f s without samples; %.2f s of processor time",
             nytp_counted(s->sent, "profile").text, p->server, s->waiting + p->batches - s->batches,
             p->fd >= 0 ? "waiting" : "not sent", dropped, of, lost_s,
             (double)(record_push_cpu_us(RUSAGE_SELF) + s->cpu_us) / 1e6);
}

bool record_push_finish(record_push *p)
{
    hand_over(p);
    end_sender(p);
    return p->status->waiting == 0 && p->status->batches == p->batches && p->status->dropped == 0 &&
           p->lost == 0 && !p->said_dead;
}
