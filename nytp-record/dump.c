#include "dump.h"

#include "dump_text.h"
#include "recorder.h"
#include "sampler/sampler.h"
#include "stopper.h"

#include "cli/output.h"
#include "cli/say.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIES = 100 };

typedef struct dumping {
    const record_dump_options *options;
    sampler_stack stack;
    size_t done;
    bool failed;
} dumping;

/* Takes a stack of a process that may be stopped, and prints it. */
static enum sampler_taken take(dumping *d, sampler_target *target, FILE *to)
{
    enum sampler_taken taken = SAMPLER_TORN;
    for (int tries = 0; tries < TRIES && taken == SAMPLER_TORN; tries++) {
        if (tries > 0)
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        taken = sampler_target_take(target, &d->stack);
    }
    if (taken == SAMPLER_TAKEN)
        record_dump_print(to, d->options, target, &d->stack);
    return taken;
}

static void say_not_taken(const sampler_target *target, enum sampler_taken taken)
{
    if (taken == SAMPLER_GONE)
        nytp_say("%ld: the process has ended, or executes another program", (long)target->pid);
    else
        nytp_say(
            "%ld: its stack changed during each of %d attempts; --stop stops the process while it is read",
            (long)target->pid, TRIES);
}

/* The text is kept until the process goes on: standard output may be a pipe that nobody reads at present. */
static bool dump_target(dumping *d, sampler_target *target)
{
    record_stopper stopper = {0};
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        g_error("out of memory");
    enum sampler_taken taken = SAMPLER_GONE;
    const bool stopped = !d->options->stop || (record_stopper_seize(&stopper, target->tid) == 0 &&
                                               record_stopper_stop(&stopper, RECORD_STOPPER_LONG_NS) == 0);
    int error_number = errno;
    if (stopped)
        taken = take(d, target, to);
    record_stopper_release(&stopper);
    fclose(to);
    if (!stopped)
        record_stopper_say(target->tid, error_number);
    else if (taken != SAMPLER_TAKEN)
        say_not_taken(target, taken);
    else
        fwrite(text, 1, size, stdout);
    if (taken == SAMPLER_TAKEN)
        record_say_guess(target);
    free(text);
    return taken == SAMPLER_TAKEN;
}

typedef struct thread {
    pid_t tid;
    uint64_t slot;
} thread;

static void note_thread(void *context, pid_t tid, uint64_t slot)
{
    const thread one = {tid, slot};
    g_array_append_val((GArray *)context, one);
}

/* A thread may end at any time. */
static void dump_threads(dumping *d, const sampler_target *first)
{
    g_autoptr(GArray) threads = g_array_new(FALSE, FALSE, sizeof(thread));
    if (!sampler_threads_others(first, note_thread, threads))
        record_say_no_threads(first);
    for (guint n = 0; n < threads->len; n++) {
        const thread *one = &g_array_index(threads, thread, n);
        const sampler_subject subject = {first->process, one->tid, one->slot, false};
        sampler_target target;
        if (one->tid == first->tid)
            continue;
        sampler_target_init(&target, &subject, d->options->offsets, d->options->max_depth);
        if (sampler_target_attach(&target) == SAMPLER_FOUND && dump_target(d, &target))
            d->done++;
        sampler_target_clear(&target);
    }
}

/* A descendant may be anything, and may end at any time. */
static void dump_process(dumping *d, sampler_process_id process, bool may_be_other)
{
    sampler_target target;
    const sampler_subject subject = sampler_subject_of(process);
    sampler_target_init(&target, &subject, d->options->offsets, d->options->max_depth);
    enum sampler_found found = sampler_target_attach(&target);
    const bool is_other = found == SAMPLER_NOT_PERL || found == SAMPLER_ENDED;
    if (found == SAMPLER_FOUND && dump_target(d, &target)) {
        d->done++;
        if (d->options->threads)
            dump_threads(d, &target);
    } else if (found == SAMPLER_FOUND) {
        d->failed = true;
    } else if (!is_other || !may_be_other) {
        nytp_say("%s", target.why);
        d->failed = true;
    }
    sampler_target_clear(&target);
}

static void dump_descendant(void *context, const sampler_process *process)
{
    dump_process(context, process->id, true);
}

static void dump_family(dumping *d, sampler_process_id root)
{
    size_t before = d->done;
    dump_process(d, root, true);
    sampler_process_descendants(root, dump_descendant, d);
    if (d->done == before && !d->failed) {
        nytp_say("%ld: there is no perl among the process and its descendants", (long)root.pid);
        d->failed = true;
    }
}

int record_dump(const record_dump_options *options, const pid_t *pids, int count)
{
    dumping d = {.options = options};
    for (int n = 0; n < count; n++) {
        sampler_process_id process = sampler_process_now(pids[n]);
        if (options->children)
            dump_family(&d, process);
        else
            dump_process(&d, process, false);
    }
    sampler_stack_clear(&d.stack);
    return nytp_exit(nytp_flush_stdout() == NYTP_EXIT_DONE && !d.failed);
}
