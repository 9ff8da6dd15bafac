#include "dump.h"

#include "recorder.h"
#include "base/str.h"
#include "export/json.h"
#include "model/display.h"
#include "sampler/sampler.h"
#include "processes.h"

#include "cli/output.h"
#include "cli/say.h"
#include "model/grow.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* What is printed of a stack, and how many values were. */
typedef struct printing {
    FILE *to;
    const record_dump_options *options;
    const sampler_target *target;
    int values;
} printing;

static nytp_str text_of(const printing *p, uint32_t name)
{
    nytp_str text = {"", 0, false};
    if (name != SAMPLER_NO_STRING)
        text.bytes = nytp_strings_get(p->target->strings, name, &text.length);
    return text;
}

/* A string in quotes, with the escapes of JSON. */
static void print_quoted(const printing *p, nytp_str text)
{
    size_t length;
    char *utf8 = nytp_text_utf8(text, &length);
    nytp_json_string(p->to, (nytp_str){utf8, length, true});
    free(utf8);
}

static void print_name(const printing *p, nytp_str name)
{
    char *shown = nytp_name_clean(name);
    fputs(shown, p->to);
    free(shown);
}

static void print_value(void *context, const char *text, size_t length, bool is_string)
{
    printing *p = context;
    fputs(p->values++ > 0 ? (p->options->json ? "," : ", ") : "", p->to);
    if (is_string || p->options->json)
        print_quoted(p, (nytp_str){text, length, false});
    else
        print_name(p, (nytp_str){text, length, false});
}

static const char *kind_text(enum sampler_frame_kind kind)
{
    switch (kind) {
    case SAMPLER_FRAME_EVAL_STRING: return "(eval string)";
    case SAMPLER_FRAME_EVAL_BLOCK: return "(eval block)";
    case SAMPLER_FRAME_REQUIRE: return "(require)";
    default: return "(unknown)";
    }
}

static void print_spot(const printing *p, sampler_spot at)
{
    fputs(" at ", p->to);
    print_name(p, at.file != SAMPLER_NO_STRING ? text_of(p, at.file) : (nytp_str){"?", 1, false});
    fprintf(p->to, " line %u\n", (unsigned)at.line);
}

static void print_frame(printing *p, const sampler_frame *frame, sampler_spot at)
{
    nytp_str name = text_of(p, frame->name);
    fputs("  ", p->to);
    if (name.length > 0)
        print_name(p, name);
    else
        fputs(kind_text(frame->kind), p->to);
    if (p->options->arguments && frame->kind == SAMPLER_FRAME_SUB) {
        fputc('(', p->to);
        p->values = 0;
        int64_t count = sampler_values_of(&p->target->interpreter, frame, print_value, p);
        if (count > p->values)
            fprintf(p->to, ", ... %lld in all", (long long)count);
        fputs(count < 0 ? "?)" : ")", p->to);
    }
    print_spot(p, at);
}

/* The innermost first, as Carp and pstack print them. Each line has where its sub is at work. */
static void print_text(printing *p, const sampler_stack *stack)
{
    char arguments[256];
    sampler_process_arguments(p->target->pid, arguments, sizeof arguments);
    char *shown = nytp_line_clean(arguments);
    fprintf(p->to, "%ld", (long)p->target->pid);
    if (p->target->tid != p->target->pid)
        fprintf(p->to, ", thread %ld", (long)p->target->tid);
    fprintf(p->to, ": perl %s: %s\n", p->target->identity.version, shown);
    free(shown);
    for (size_t n = stack->count; n > stack->cut; n--)
        print_frame(p, &stack->frames[n - 1], sampler_stack_spot(stack, n));
    if (stack->cut) {
        fprintf(p->to, "  ... (outer calls are left out)\n");
    } else {
        fprintf(p->to, "  main program");
        print_spot(p, sampler_stack_spot(stack, 0));
    }
}

static void print_text_field(const printing *p, const char *key, uint32_t name)
{
    fprintf(p->to, "\"%s\":", key);
    print_quoted(p, text_of(p, name));
}

static void print_json_spot(const printing *p, sampler_spot at)
{
    print_text_field(p, "file", at.file);
    fprintf(p->to, ",\"line\":%u", (unsigned)at.line);
}

static void print_json_frame(printing *p, const sampler_frame *frame, sampler_spot at)
{
    static const char *const kinds[] = {[SAMPLER_FRAME_SUB] = "sub",
                                        [SAMPLER_FRAME_BUILTIN] = "builtin",
                                        [SAMPLER_FRAME_FORMAT] = "format",
                                        [SAMPLER_FRAME_EVAL_STRING] = "eval string",
                                        [SAMPLER_FRAME_EVAL_BLOCK] = "eval block",
                                        [SAMPLER_FRAME_REQUIRE] = "require",
                                        [SAMPLER_FRAME_CUT] = "cut"};
    fprintf(p->to, "{\"kind\":\"%s\",", kinds[frame->kind]);
    if (frame->name != SAMPLER_NO_STRING) {
        print_text_field(p, "name", frame->name);
        fputc(',', p->to);
    }
    print_json_spot(p, at);
    if (p->options->arguments && frame->kind == SAMPLER_FRAME_SUB) {
        fprintf(p->to, ",\"args\":[");
        p->values = 0;
        int64_t count = sampler_values_of(&p->target->interpreter, frame, print_value, p);
        fprintf(p->to, "],\"arg_count\":%lld", (long long)count);
    }
    fputc('}', p->to);
}

static void print_json(printing *p, const sampler_stack *stack)
{
    char arguments[4096];
    sampler_process_arguments(p->target->pid, arguments, sizeof arguments);
    fprintf(p->to, "{\"pid\":%ld,\"tid\":%ld,\"perl\":\"%s\",\"command\":", (long)p->target->pid,
            (long)p->target->tid, p->target->identity.version);
    print_quoted(p, nytp_str_of(arguments));
    fprintf(p->to, ",\"cut\":%s,\"frames\":[", stack->cut ? "true" : "false");
    for (size_t n = stack->count; n > stack->cut; n--) {
        print_json_frame(p, &stack->frames[n - 1], sampler_stack_spot(stack, n));
        fputs(n - 1 > stack->cut ? "," : "", p->to);
    }
    if (!stack->cut) {
        fprintf(p->to, "%s{\"kind\":\"main\",", stack->count > 0 ? "," : "");
        print_json_spot(p, sampler_stack_spot(stack, 0));
        fputc('}', p->to);
    }
    fprintf(p->to, "]}\n");
}

/* Reads the arguments of calls from the process if they are wanted. */
static void record_dump_print(FILE *to, const record_dump_options *options, const sampler_target *target,
                              const sampler_stack *stack)
{
    printing p = {to, options, target, 0};
    (options->json ? print_json : print_text)(&p, stack);
}

enum { TRIES = 100 };

typedef struct dumping {
    const record_dump_options *options;
    sampler_stack stack;
    size_t done;
    bool failed;
} dumping;

/* Takes a stack of a process that may be stopped, and prints it. */
static enum sampler_taken take_sample(dumping *d, sampler_target *target, FILE *to)
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

static void print_out(const char *text, bool is_json)
{
    const nytp_look look = nytp_look_of(NULL, NYTP_COLOR_NEVER);
    FILE *out = is_json ? stdout : nytp_lines_open(stdout, &look);
    fputs(text, out);
    if (!is_json)
        fclose(out);
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
        taken = take_sample(d, target, to);
    record_stopper_release(&stopper);
    fclose(to);
    if (!stopped)
        record_stopper_say(target->tid, error_number);
    else if (taken != SAMPLER_TAKEN)
        say_not_taken(target, taken);
    else
        print_out(text, d->options->json);
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
    g_autoptr(GArray) threads = NYTP_ARRAY(thread);
    if (!sampler_threads_others(first, note_thread, threads))
        record_say_no_threads(first);
    NYTP_EACH(const thread, one, threads) {
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
