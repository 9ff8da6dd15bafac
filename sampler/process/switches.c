#include "base/small_file.h"
#include "sampler/process/switches.h"

#include "sampler/process/process.h"

#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CHECK_NS INT64_C(100000000)

struct sampler_switches {
    int fd; /* also a counter of the time that it ran */
    struct perf_event_mmap_page *head;
    const uint64_t *records; /* the second page: a ring of words */
    size_t page_bytes;
    bool runs, is_ready;
    bool has_switched;  /* since the last time that its switches were taken */
    bool has_missed;    /* some of them */
    int64_t since_ns;   /* it got its processor, or lost it */
    int64_t run_ns;     /* before that */
    int64_t checked_ns; /* when it was known to be noted */
    int64_t ended_ns;   /* when the thread ended; 0: not noted */
};

/* Kernels let users count what happens outside of the kernel only. This counter has all time nevertheless. */
static int open_event(pid_t tid)
{
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof attributes,
                                         .config = PERF_COUNT_SW_TASK_CLOCK,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1,
                                         .context_switch = 1,
                                         .task = 1, /* its end, and what it starts */
                                         .sample_id_all = 1,
                                         .sample_type = PERF_SAMPLE_TIME,
                                         .use_clockid = 1,
                                         .clockid = CLOCK_MONOTONIC,
                                         .watermark = 1,
                                         .wakeup_watermark = UINT32_MAX};
    return (int)syscall(SYS_perf_event_open, &attributes, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The kernel notes times by the clock of the first time namespace (time_namespaces(7)). */
static bool has_clock_of_records(void)
{
    char text[128];
    long long seconds, ns;
    return !nytp_small_file_read("/proc/self/timens_offsets", text, sizeof text) ||
           sscanf(text, "monotonic %lld %lld", &seconds, &ns) != 2 || (seconds == 0 && ns == 0);
}

static bool read_counter(const sampler_switches *s, int64_t *count_ns)
{
    return read(s->fd, count_ns, sizeof *count_ns) == (ssize_t)sizeof *count_ns;
}

static uint64_t noted(const sampler_switches *s)
{
    return __atomic_load_n(&s->head->data_head, __ATOMIC_ACQUIRE);
}

/* The kernel may write there again. */
static void pass(sampler_switches *s, uint64_t at)
{
    __atomic_store_n(&s->head->data_tail, at, __ATOMIC_RELEASE);
}

/* Learns from the counter what the records do not say: at first, and if there was no room for some. */
static bool count(sampler_switches *s)
{
    int64_t again_ns;
    pass(s, noted(s));
    s->since_ns = sampler_now_ns();
    const bool is_counted = read_counter(s, &s->run_ns) && read_counter(s, &again_ns);
    s->runs = s->is_ready = is_counted && again_ns != s->run_ns;
    s->has_switched = s->has_missed = true;
    return is_counted;
}

sampler_switches *sampler_switches_new(pid_t tid)
{
    sampler_switches *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->fd = has_clock_of_records() ? open_event(tid) : -1;
    s->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *pages =
        s->fd < 0 ? MAP_FAILED : mmap(NULL, 2 * s->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    if (pages != MAP_FAILED) {
        s->head = pages;
        s->records = (const uint64_t *)((const char *)pages + s->page_bytes);
    }
    if (pages != MAP_FAILED && count(s))
        return s;
    sampler_switches_free(s);
    return NULL;
}

void sampler_switches_free(sampler_switches *s)
{
    if (s == NULL)
        return;
    if (s->head != NULL)
        munmap(s->head, 2 * s->page_bytes);
    if (s->fd >= 0)
        close(s->fd);
    free(s);
}

static int64_t at_least(int64_t ns, int64_t least_ns)
{
    return ns > least_ns ? ns : least_ns;
}

static void take_switch(sampler_switches *s, unsigned flags, int64_t time_ns)
{
    s->run_ns = sampler_switches_run_ns(s, time_ns);
    s->runs = (flags & PERF_RECORD_MISC_SWITCH_OUT) == 0;
    s->is_ready = s->runs || (flags & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
    s->has_switched = true;
    s->since_ns = time_ns;
}

/* Records are made of words, and so is the ring: no word is divided by its end. */
static uint64_t word_at(const sampler_switches *s, uint64_t at)
{
    return s->records[at % s->page_bytes / sizeof *s->records];
}

/* The numbers of the thread, and of its parent, come before the time of its end. */
static void take_end(sampler_switches *s, int64_t time_ns)
{
    take_switch(s, PERF_RECORD_MISC_SWITCH_OUT, time_ns);
    s->ended_ns = time_ns;
}

static void take_record(sampler_switches *s, const struct perf_event_header *header, uint64_t at)
{
    enum { NUMBERS = 16 };
    if (header->type == PERF_RECORD_EXIT)
        take_end(s, (int64_t)word_at(s, at + sizeof *header + NUMBERS));
    if (header->type == PERF_RECORD_SWITCH)
        take_switch(s, header->misc, (int64_t)word_at(s, at + sizeof *header));
}

/* Returns false if the kernel may have had no room for some records: it says so no sooner than in the next
 * one. */
static bool take_records(sampler_switches *s)
{
    enum { ROOM = 64 /* bytes: a record, and one that says that some are missing */ };
    const uint64_t end = noted(s);
    const bool was_full = end - s->head->data_tail > s->page_bytes - ROOM;
    bool is_complete = true;
    s->has_switched = s->has_missed = false;
    for (uint64_t at = s->head->data_tail; at < end;) {
        const union {
            uint64_t word;
            struct perf_event_header header;
        } first = {word_at(s, at)};
        take_record(s, &first.header, at);
        is_complete = is_complete && first.header.type != PERF_RECORD_LOST;
        at += first.header.size;
    }
    pass(s, end);
    return is_complete && !was_full;
}

/* What has no records any more looks as if it ran on. */
static bool is_noted(sampler_switches *s)
{
    struct pollfd event = {.fd = s->fd};
    const int64_t now_ns = sampler_now_ns();
    if (s->has_switched || now_ns - s->checked_ns < CHECK_NS)
        return true;
    s->checked_ns = now_ns;
    return poll(&event, 1, 0) <= 0 || (event.revents & (POLLHUP | POLLERR)) == 0;
}

bool sampler_switches_take(sampler_switches *s)
{
    return (take_records(s) || count(s)) && s->ended_ns == 0 && (!s->runs || is_noted(s));
}

int64_t sampler_switches_ended_ns(const sampler_switches *s)
{
    return s->ended_ns;
}

bool sampler_switches_has_switched(const sampler_switches *s)
{
    return s->has_switched;
}

bool sampler_switches_has_missed(const sampler_switches *s)
{
    return s->has_missed;
}

bool sampler_switches_runs(const sampler_switches *s)
{
    return s->runs;
}

bool sampler_switches_is_ready(const sampler_switches *s)
{
    return s->is_ready;
}

int64_t sampler_switches_since_ns(const sampler_switches *s)
{
    return s->since_ns;
}

int64_t sampler_switches_run_ns(const sampler_switches *s, int64_t now_ns)
{
    return s->run_ns + (s->runs ? at_least(now_ns - s->since_ns, 0) : 0);
}
