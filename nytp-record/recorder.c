#include "recorder.h"

#include "sampler/sampler.h"
#include "processes.h"

#include "base/small_file.h"
#include "base/ticks.h"
#include "cli/say.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_NS INT64_C(1000000000) /* for another program that the process executes */
#define MEMORY_NS   INT64_C(100000000)  /* between two marks of memory, and looks at children */

struct record_recorder {
    const record_options *options;
    bool is_asked_for; /* otherwise it was found among what another process has started */
    sampler_target target;
    record_stacks stacks;
    bool has_stack; /* the newest stack is what was read after sampler_meter_before() was called last */
    record_output output;
    sampler_meter meter;    /* of the thread that executes its interpreter */
    record_stopper stopper; /* with --stop */
    record_counts counts;
    double first_cpu_s;      /* processor time when it began */
    double first_children_s; /* the same of children that it had waited for */
    int64_t memory_ns;       /* when its memory was written last; 0: not in this profile */
    int64_t gone_ns;         /* since when it cannot be read; 0: it can */
    long threads;
};

/* Returns a moment of sampler_now_ns() in seconds since 1970. Of some readings of both clocks, the pair
 * counts that was interrupted least. */
static double time_of_day_s(int64_t then_ns)
{
    enum { MOST = 10, CLOSE_NS = 20000 };
    int64_t least_ns = INT64_MAX;
    double then_s = 0;
    for (int n = 0; n < MOST && least_ns > CLOSE_NS; n++) {
        const int64_t before_ns = sampler_now_ns();
        const double now_s = nytp_time_s(CLOCK_REALTIME);
        const int64_t apart_ns = sampler_now_ns() - before_ns;
        if (apart_ns < least_ns)
            then_s = now_s - (double)(before_ns - then_ns) / 1e9;
        least_ns = MIN(least_ns, apart_ns);
    }
    return then_s;
}

record_counts record_recorder_counts(const record_recorder *r)
{
    const sampler_account *account = &r->meter.account;
    record_counts counts = r->counts;
    for (int state = 0; state < SAMPLER_STATES; state++)
        counts.state_s[state] = account->total_s[state];
    counts.missed_s = sampler_account_missed_s(account);
    if (r->options->threads && account->has_times)
        counts.cpu_s = account->total_s[SAMPLER_RUN]; /* not that of the other threads */
    counts.lost_s = account->lost_s;
    record_counts_lose(&counts, r->target.tid, counts.lost_s);
    counts.until_s = time_of_day_s(account->last_ns);
    if (r->output.sources != NULL)
        counts.sources = record_sources_counts(r->output.sources);
    return counts;
}

const sampler_target *record_recorder_target(const record_recorder *r)
{
    return &r->target;
}

const record_outfile *record_recorder_outfile(const record_recorder *r)
{
    return r->output.outfile;
}

static void free_recorder(record_recorder *r)
{
    record_stopper_release(&r->stopper);
    record_output_clear(&r->output);
    sampler_meter_clear(&r->meter);
    record_stacks_clear(&r->stacks);
    sampler_target_clear(&r->target);
    g_free(r);
}

void record_say_no_threads(const sampler_target *target)
{
    nytp_say(
        "%ld: only its first interpreter is sampled: its C library has no list of threads, as glibc 2.34 and "
        "later have",
        (long)target->pid);
}

/* A thread that is sampled knows nothing of the others. Threads of C code have no interpreter, which only the
 * list of threads shows. */
static void note_threads(record_recorder *r)
{
    sampler_process now;
    const bool threaded = r->target.interpreter.layout.cop_file != SAMPLER_ABSENT;
    const bool has_list = r->target.pthreads.lists[0] != 0;
    if (!threaded || (r->options->threads && has_list) || r->target.slot != 0 ||
        !sampler_process_read_open(&now, r->target.proc) || now.threads <= MAX(r->threads, 1))
        return;
    if (has_list)
        now.threads = sampler_threads_interpreters(&r->target);
    if (now.threads <= MAX(r->threads, 1))
        return;
    if (r->threads <= 1 && r->options->threads)
        record_say_no_threads(&r->target);
    else if (r->threads <= 1)
        nytp_say("%ld has %ld threads: only its first interpreter is sampled, unless --threads is given",
                 (long)r->target.pid, now.threads);
    r->threads = now.threads;
}

static bool begin_profile(record_recorder *r, enum record_name_kind kind, char *why, size_t why_size)
{
    const record_counts now = record_recorder_counts(r);
    r->memory_ns = 0;
    return record_output_begin(&r->output, sampler_activity_source(r->meter.activity), kind, &now, why,
                               why_size);
}

/* Finds what is needed of the process besides its memory. Returns false and sets why, and errno. */
static bool watch_process(record_recorder *r, char *why, size_t why_size)
{
    const pid_t pid = r->target.pid, tid = sampler_threads_runner(&r->target);
    if (r->options->stop && record_stopper_seize(&r->stopper, tid) != 0) {
        int error_number = errno;
        record_stopper_explain(tid, error_number, why, why_size);
        errno = error_number;
    } else if (!sampler_meter_begin(&r->meter, pid, tid, r->options->rate_hz, r->options->cpu))
        snprintf(why, why_size, "%ld: what it does cannot be read: %s", (long)pid, strerror(errno));
    else if (!sampler_process_exists(r->target.proc)) /* else what has the pid is still this process */
        snprintf(why, why_size, "%ld: the process has ended", (long)pid);
    else
        return true;
    return false;
}

void record_say_guess(const sampler_target *target)
{
    static char said[sizeof target->guess];
    if (target->guess[0] == '\0' || strcmp(said, target->guess) == 0)
        return;
    nytp_say("%s", target->guess);
    g_strlcpy(said, target->guess, sizeof said);
}

/* Returns the processor time of the children that the process has waited for; 0: not known. */
static double children_s(const record_recorder *r)
{
    sampler_process now;
    return sampler_process_read_open(&now, r->target.proc)
               ? (double)now.children_ticks / (double)sysconf(_SC_CLK_TCK)
               : 0;
}

/* It stays as it was when the process has ended. */
static void note_children(record_recorder *r)
{
    r->counts.children_cpu_s = MAX(r->counts.children_cpu_s, children_s(r) - r->first_children_s);
}

record_recorder *record_recorder_new(const sampler_subject *subject, const record_options *options,
                                     enum record_name_kind kind, enum sampler_found *found, char *why,
                                     size_t why_size)
{
    record_recorder *r = g_new0(record_recorder, 1);
    r->options = options;
    r->is_asked_for = subject->is_asked_for;
    r->output.options = options;
    r->output.target = &r->target;
    r->counts.cpu_s = -1;
    sampler_target_init(&r->target, subject, options->offsets, options->max_depth);
    *found = sampler_target_attach(&r->target);
    if (*found == SAMPLER_NOT_READABLE && r->target.open_error == EMFILE)
        *found = SAMPLER_NOT_RECORDED;
    if (*found != SAMPLER_FOUND)
        snprintf(why, why_size, "%s", r->target.why);
    else if (!watch_process(r, why, why_size))
        *found = errno == ESRCH || errno == ENOENT ? SAMPLER_ENDED : SAMPLER_NOT_RECORDED;
    else if (!begin_profile(r, kind, why, why_size))
        *found = SAMPLER_NOT_RECORDED;
    if (*found != SAMPLER_FOUND) {
        free_recorder(r);
        return NULL;
    }
    r->first_cpu_s = r->counts.life_cpu_s = sampler_activity_process_cpu_s(r->meter.activity);
    r->first_children_s = children_s(r);
    note_threads(r);
    record_say_guess(&r->target);
    return r;
}

/* To be called while the process is known to exist. Its last time is what it was at the last sample. */
static void note_cpu_time(record_recorder *r)
{
    const double cpu_s = sampler_activity_process_cpu_s(r->meter.activity);
    if (cpu_s >= 0 && r->first_cpu_s >= 0)
        r->counts.cpu_s = cpu_s - r->first_cpu_s;
    if (cpu_s >= 0)
        r->counts.life_cpu_s = cpu_s;
}

void record_recorder_conclude(record_recorder *r)
{
    record_fold_conclude(r->output.fold);
    nytp_writer_flush(r->output.writer);
}

void record_recorder_seize_again(record_recorder *r)
{
    if (r->options->stop && record_stopper_seize(&r->stopper, r->meter.tid) != 0 && errno != ESRCH)
        record_stopper_say(r->meter.tid, errno);
}

/* Programs that embed perl may have another thread execute it. */
static void follow_runner(record_recorder *r)
{
    const pid_t runner = sampler_threads_runner(&r->target);
    if (r->gone_ns != 0 || runner == r->meter.tid)
        return;
    r->has_stack = false;
    record_stopper_release(&r->stopper);
    sampler_meter_skip(&r->meter, r->target.pid, runner);
    record_recorder_seize_again(r);
}

void record_recorder_each_second(record_recorder *r)
{
    note_threads(r);
    follow_runner(r);
    nytp_writer_flush(r->output.writer);
}

void record_recorder_release(record_recorder *r)
{
    record_stopper_release(&r->stopper);
}

static void add_time(record_recorder *r, const sampler_stack *stack, const double share_s[SAMPLER_STATES],
                     double time_s)
{
    if (r->meter.account.has_times)
        record_fold_state(r->output.fold, share_s);
    record_fold_add(r->output.fold, stack, time_s * NYTP_USUAL_TICKS_PER_SEC);
    r->counts.samples++;
    r->counts.cut += stack->cut;
}

/* What passed since the last sample of each state has its stack, and what was in a state that no sample saw
 * the last one of all. */
static void add_rests(record_recorder *r)
{
    for (int state = 0; state < SAMPLER_STATES; state++) {
        const sampler_stack *stack = record_stacks_last(&r->stacks, state);
        if (stack == NULL)
            stack = record_stacks_last(&r->stacks, r->meter.account.last_state);
        double share_s[SAMPLER_STATES] = {0};
        if (stack == NULL)
            continue;
        share_s[state] = sampler_account_rest(&r->meter.account, state);
        if (share_s[state] > 0)
            add_time(r, stack, share_s, share_s[state]);
    }
}

static int end_profile(record_recorder *r)
{
    if (r->gone_ns == 0)
        sampler_meter_end(&r->meter);
    add_rests(r);
    record_fold_conclude(r->output.fold);
    if (sampler_process_exists(r->target.proc)) {
        if (r->gone_ns == 0) /* otherwise another program has used it since */
            note_cpu_time(r);
        note_children(r);
        note_threads(r);
    }
    const record_counts now = record_recorder_counts(r);
    return record_output_end(&r->output, &now, r->threads);
}

void record_recorder_next_profile(record_recorder *r)
{
    char why[512];
    end_profile(r);
    begin_profile(r, RECORD_NAME_PLAIN, why, sizeof why);
}

int record_recorder_finish(record_recorder *r, record_counts *counts)
{
    record_stopper_release(&r->stopper);
    const record_source_counts sources = record_recorder_counts(r).sources; /* they end with the profile */
    const int rc = end_profile(r);
    *counts = record_recorder_counts(r);
    counts->sources = sources;
    free_recorder(r);
    return rc;
}

/* It may have ended, or execute another program, which may be a perl. */
static bool attach_again(record_recorder *r, int64_t now_ns)
{
    sampler_process now;
    if (!sampler_process_read_open(&now, r->target.proc) || sampler_process_has_ended(&now))
        return false;
    if (r->gone_ns == 0) {
        r->gone_ns = now_ns;
        r->has_stack = false;
        add_rests(r);
        record_stacks_forget(&r->stacks);
        record_fold_end_program(r->output.fold);
    }
    if (sampler_target_attach(&r->target) == SAMPLER_FOUND) {
        r->gone_ns = 0;
        record_sources_renew(r->output.sources, &r->target);
        sampler_meter_skip(&r->meter, r->target.pid, sampler_threads_runner(&r->target));
        return true;
    }
    if (now_ns - r->gone_ns < PATIENCE_NS)
        return true;
    if (r->is_asked_for)
        nytp_say("%s", r->target.why);
    return false;
}

static enum sampler_taken read_stack(record_recorder *r)
{
    if (r->stopper.pid == 0)
        return sampler_target_take(&r->target, record_stacks_next(&r->stacks));
    if (record_stopper_stop(&r->stopper, RECORD_STOPPER_SHORT_NS) != 0)
        return errno == EINTR || errno == EAGAIN ? SAMPLER_TORN : SAMPLER_GONE;
    enum sampler_taken taken = sampler_target_take(&r->target, record_stacks_next(&r->stacks));
    record_stopper_go_on(&r->stopper);
    return taken;
}

/* What has slept since its stack was read still has that. */
static enum sampler_taken take_sample(record_recorder *r)
{
    if (r->has_stack && r->meter.has_slept && sampler_process_exists(r->target.proc))
        return SAMPLER_TAKEN;
    const enum sampler_taken taken = read_stack(r);
    r->has_stack = taken == SAMPLER_TAKEN;
    return taken;
}

/* What a process has at this moment besides a stack. */
static void note_process(record_recorder *r, int64_t now_ns)
{
    if (r->memory_ns != 0 && now_ns - r->memory_ns < MEMORY_NS)
        return;
    const uint64_t rss_bytes = nytp_statm_rss_bytes(r->target.proc, "statm");
    if (rss_bytes > 0)
        record_fold_memory(r->output.fold, rss_bytes, sampler_target_values(&r->target));
    note_children(r);
    r->memory_ns = now_ns;
}

static void add_sample(record_recorder *r)
{
    double share_s[SAMPLER_STATES];
    const sampler_stack *stack = record_stacks_newest(&r->stacks);
    const double time_s = sampler_meter_after(&r->meter, stack, share_s);
    note_cpu_time(r);
    if (time_s < 0) {
        r->counts.idle++;
        return;
    }
    add_time(r, stack, share_s, time_s);
    record_stacks_keep(&r->stacks, r->meter.account.last_state);
}

bool record_recorder_failed(const record_recorder *r)
{
    return r->options->push == NULL && nytp_writer_error(r->output.writer)->code < 0;
}

bool record_recorder_sample(record_recorder *r)
{
    int64_t now_ns = sampler_now_ns();
    if (r->stopper.pid != 0)
        record_stopper_pass_on(&r->stopper);
    if (r->gone_ns != 0 && !attach_again(r, now_ns))
        return false;
    if (r->gone_ns != 0)
        return true;
    switch (sampler_meter_before(&r->meter)) {
    case SAMPLER_NO_THREAD: return attach_again(r, now_ns);
    case SAMPLER_UNWANTED:
        r->counts.idle++;
        r->has_stack = false;
        return true;
    case SAMPLER_WANTED: break;
    }
    if (sampler_target_trim(&r->target)) {
        record_fold_renumber(r->output.fold, r->target.strings);
        record_stacks_forget(&r->stacks);
        r->has_stack = false;
    }
    switch (take_sample(r)) {
    case SAMPLER_GONE: return attach_again(r, now_ns);
    case SAMPLER_TORN: r->counts.torn++; return true;
    case SAMPLER_TAKEN: break;
    }
    add_sample(r);
    note_process(r, now_ns);
    return !record_recorder_failed(r);
}
