/* The limit is RLIMIT_DATA: the kernel enforces it, so the program counts nothing. */
#include "cli/start.h"

#include "base/cgroups.h"
#include "cli/say.h"
#include "cli/output.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* RLIMIT_DATA does not count code; PROGRAM_BYTES is more than the code of a program and its libraries. */
enum { MIB = 1 << 20, LEAST_BYTES = 64 * MIB, PROGRAM_BYTES = 6 * MIB };

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = true }; /* sanitizers need memory of their own */
#elif defined __has_feature
enum { SANITIZED = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) };
#else
enum { SANITIZED = false };
#endif

static struct {
    const char *name; /* of the current input; NULL: there was none */
    uint64_t bytes;   /* 0: not known yet */
    rlim_t allowed;   /* the limit that set_limit() set */
} limit;

/* Keeps a lower limit that was set before the program started. */
static void set_limit(void)
{
    struct rlimit r;
    const rlim_t most = (rlim_t)limit.bytes - PROGRAM_BYTES;
    if (SANITIZED || getrlimit(RLIMIT_DATA, &r) != 0 || r.rlim_cur <= most)
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
                 (unsigned long long)(limit.bytes / MIB));
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
        snprintf(message, sizeof message, "%s: out of memory", limit.name);
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

int nytp_limit_input(const char *name)
{
    nytp_error error = {0};
    limit.name = name;
    if (limit.bytes > 0)
        return 0;
    if (!nytp_memory_from_env(&limit.bytes, &error)) {
        nytp_say("%s", error.message);
        return -1;
    }
    if (limit.bytes == 0)
        limit.bytes = MAX(nytp_machine_bytes() / 2, LEAST_BYTES);
    set_limit();
    return 0;
}

uint64_t nytp_machine_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const uint64_t physical =
        pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
    const double most = nytp_cgroup_bytes("/proc/self/cgroup", "/sys/fs/cgroup");
    return most < (double)physical ? (uint64_t)most : physical;
}
