/* The limit is RLIMIT_DATA: the kernel enforces it, so the program counts nothing. */
#include "cli/limit.h"

#include "base/memory_env.h"
#include "cli/machine.h"
#include "cli/say.h"
#include "cli/tempfile.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* RLIMIT_DATA does not count code; PROGRAM_BYTES is more than the code of a program and its libraries. */
enum {
    MIB = 1 << 20,
    BASE_BYTES = 64 * MIB,
    BYTES_PER_BYTE = 8,
    BYTES_PER_CHUNK = 640,
    PROGRAM_BYTES = 6 * MIB
};

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = true }; /* sanitizers need memory of their own */
#elif defined __has_feature
enum { SANITIZED = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) };
#else
enum { SANITIZED = false };
#endif

static struct {
    const char *name;               /* of the current input; NULL: there was none */
    uint64_t offset;                /* how much of it was read */
    uint64_t before_bytes, bytes;   /* sizes of all inputs before it, and of itself */
    uint64_t before_chunks, chunks; /* the same of what was read */
    uint64_t machine_bytes;         /* 0: not asked for yet */
    uint64_t added_bytes;           /* by nytp_limit_add() */
    uint64_t env_bytes;             /* NYTP_MEMORY_MIB; 0: not set */
    rlim_t allowed;                 /* the limit that set_limit() set */
} limit;

static uint64_t product(uint64_t count, uint64_t bytes)
{
    return count > UINT64_MAX / bytes ? UINT64_MAX : count * bytes;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t most_bytes(void)
{
    if (limit.env_bytes > 0)
        return limit.env_bytes;
    if (limit.machine_bytes == 0)
        limit.machine_bytes = nytp_machine_bytes();
    const uint64_t for_chunks = product(limit.before_chunks + limit.chunks, BYTES_PER_CHUNK),
                   for_bytes = product(limit.before_bytes + limit.bytes, BYTES_PER_BYTE);
    return sum(BASE_BYTES + limit.added_bytes, sum(for_bytes, MIN(for_chunks, limit.machine_bytes / 2)));
}

/* Keeps a lower limit that was set before the program started. */
static void set_limit(void)
{
    struct rlimit r;
    rlim_t most = (rlim_t)most_bytes() - PROGRAM_BYTES;
    if (SANITIZED || getrlimit(RLIMIT_DATA, &r) != 0)
        return;
    if (r.rlim_cur != limit.allowed && r.rlim_cur <= most)
        return;
    r.rlim_cur = limit.allowed = MIN(most, r.rlim_max);
    setrlimit(RLIMIT_DATA, &r);
}

/* Whether an allocation failed because of our limit, and not because of one that the program was started
 * with. */
static bool is_ours(void)
{
    struct rlimit data, all;
    return getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur == limit.allowed &&
           getrlimit(RLIMIT_AS, &all) == 0 && all.rlim_cur == RLIM_INFINITY;
}

void nytp_limit_report(const char *message)
{
    if (is_ours())
        nytp_say("%s: the limit is %llu MiB; NYTP_MEMORY_MIB raises it", message,
                 (unsigned long long)(most_bytes() / MIB));
    else
        nytp_say("%s", message);
}

/* When GLib cannot allocate, it ends the program with a message and one of the signals below, as it does for
 * other reasons. */
static void end_if_out_of_memory(void)
{
    if (errno != ENOMEM)
        return;
    char message[512] = "out of memory";
    if (limit.name != NULL)
        snprintf(message, sizeof message, "%s: out of memory after byte %llu", limit.name,
                 (unsigned long long)limit.offset);
    nytp_tempfile_remove();
    nytp_limit_report(message);
    _exit(NYTP_EXIT_FAILED);
}

static void on_signal(int number)
{
    end_if_out_of_memory();
    nytp_tempfile_remove();
    raise(number); /* SA_RESETHAND restored the default action, which follows when this returns */
}

static void on_message(const char *domain, GLogLevelFlags level, const char *message, gpointer context)
{
    if ((level & G_LOG_FLAG_FATAL) != 0)
        end_if_out_of_memory();
    g_log_default_handler(domain, level, message, context);
}

void nytp_limit_begin(void)
{
    struct sigaction ours = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGTRAP, &ours, NULL);
    sigaction(SIGABRT, &ours, NULL);
    g_log_set_default_handler(on_message, NULL);
}

void nytp_limit_add(uint64_t bytes)
{
    limit.added_bytes += bytes;
}

int nytp_limit_input(const char *name, uint64_t bytes)
{
    nytp_error error = {0};
    if (!nytp_memory_from_env(&limit.env_bytes, &error)) {
        nytp_say("%s", error.message);
        return -1;
    }
    limit.before_bytes += limit.bytes;
    limit.before_chunks += limit.chunks;
    limit.name = name;
    limit.bytes = bytes;
    limit.chunks = 0;
    limit.offset = 0;
    set_limit();
    return 0;
}

/* The limit is raised in steps, not for each part of the input. */
void nytp_limit_read(uint64_t bytes, uint64_t chunks)
{
    enum { STEP_CHUNKS = 1 << 14 };
    limit.offset = bytes;
    if (bytes <= limit.bytes && chunks < limit.chunks + STEP_CHUNKS)
        return;
    limit.bytes = MAX(bytes, limit.bytes);
    limit.chunks = chunks;
    set_limit();
}
