#include "dump.h"

#include "sampler/sampler.h"
#include "stopper.h"

#include "export/json.h"
#include "cli/output.h"
#include "cli/say.h"
#include "model/display.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 100 };

/* What is printed of a stack, and how many values were. */
typedef struct printing {
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
static void print_quoted(nytp_str text)
{
    size_t length;
    char *utf8 = nytp_text_utf8(text, &length);
    nytp_json_string(stdout, (nytp_str){utf8, length, true});
    free(utf8);
}

static void print_name(nytp_str name)
{
    char *shown = nytp_name_clean(name);
    fputs(shown, stdout);
    free(shown);
}

static void print_value(void *context, const char *text, size_t length, bool is_string)
{
    printing *p = context;
    fputs(p->values++ > 0 ? (p->options->json ? "," : ", ") : "", stdout);
    if (is_string || p->options->json)
        print_quoted((nytp_str){text, length, false});
    else
        print_name((nytp_str){text, length, false});
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
    fputs(" at ", stdout);
    print_name(at.file != SAMPLER_NO_STRING ? text_of(p, at.file) : (nytp_str){"?", 1, false});
    printf(" line %u\n", (unsigned)at.line);
}

static void print_frame(printing *p, const sampler_frame *frame, sampler_spot at)
{
    nytp_str name = text_of(p, frame->name);
    fputs("  ", stdout);
    if (name.length > 0)
        print_name(name);
    else
        fputs(kind_text(frame->kind), stdout);
    if (p->options->arguments && frame->kind == SAMPLER_FRAME_SUB) {
        putchar('(');
        p->values = 0;
        int64_t count = sampler_values_of(&p->target->interpreter, frame, print_value, p);
        if (count > p->values)
            printf(", ... %lld in all", (long long)count);
        fputs(count < 0 ? "?)" : ")", stdout);
    }
    print_spot(p, at);
}

/* The innermost first, as Carp and pstack print them. Each line has where its sub is at work. */
static void print_text(printing *p, const sampler_stack *stack)
{
    char arguments[256];
    sampler_process_arguments(p->target->pid, arguments, sizeof arguments);
    char *shown = nytp_line_clean(arguments);
    printf("%ld: perl %s: %s\n", (long)p->target->pid, p->target->identity.version, shown);
    free(shown);
    for (size_t n = stack->count; n > 0; n--)
        print_frame(p, &stack->frames[n - 1], sampler_stack_spot(stack, n));
    if (stack->cut) {
        printf("  ... (outer calls are left out)\n");
    } else {
        printf("  main program");
        print_spot(p, sampler_stack_spot(stack, 0));
    }
}

static void print_text_field(const printing *p, const char *key, uint32_t name)
{
    printf("\"%s\":", key);
    print_quoted(text_of(p, name));
}

static void print_json_spot(const printing *p, sampler_spot at)
{
    print_text_field(p, "file", at.file);
    printf(",\"line\":%u", (unsigned)at.line);
}

static void print_json_frame(printing *p, const sampler_frame *frame, sampler_spot at)
{
    static const char *const kinds[] = {[SAMPLER_FRAME_SUB] = "sub",
                                        [SAMPLER_FRAME_BUILTIN] = "builtin",
                                        [SAMPLER_FRAME_FORMAT] = "format",
                                        [SAMPLER_FRAME_EVAL_STRING] = "eval string",
                                        [SAMPLER_FRAME_EVAL_BLOCK] = "eval block",
                                        [SAMPLER_FRAME_REQUIRE] = "require"};
    printf("{\"kind\":\"%s\",", kinds[frame->kind]);
    if (frame->name != SAMPLER_NO_STRING) {
        print_text_field(p, "name", frame->name);
        putchar(',');
    }
    print_json_spot(p, at);
    if (p->options->arguments && frame->kind == SAMPLER_FRAME_SUB) {
        printf(",\"args\":[");
        p->values = 0;
        int64_t count = sampler_values_of(&p->target->interpreter, frame, print_value, p);
        printf("],\"arg_count\":%lld", (long long)count);
    }
    putchar('}');
}

static void print_json(printing *p, const sampler_stack *stack)
{
    char arguments[4096];
    sampler_process_arguments(p->target->pid, arguments, sizeof arguments);
    printf("{\"pid\":%ld,\"perl\":\"%s\",\"command\":", (long)p->target->pid, p->target->identity.version);
    print_quoted((nytp_str){arguments, strlen(arguments), false});
    printf(",\"cut\":%s,\"frames\":[", stack->cut ? "true" : "false");
    for (size_t n = stack->count; n > 0; n--) {
        print_json_frame(p, &stack->frames[n - 1], sampler_stack_spot(stack, n));
        putchar(',');
    }
    printf("{\"kind\":\"main\",");
    print_json_spot(p, sampler_stack_spot(stack, 0));
    printf("}]}\n");
}

static int dump_one(const record_dump_options *options, sampler_target *target, sampler_stack *stack)
{
    enum sampler_taken taken = SAMPLER_TORN;
    record_stopper stopper = {0};
    if (sampler_target_attach(target) != SAMPLER_FOUND) {
        nytp_say("%s", target->why);
        return -1;
    }
    if (options->stop &&
        (record_stopper_seize(&stopper, target->pid) != 0 || record_stopper_stop(&stopper) != 0)) {
        nytp_say("%ld: cannot be stopped: %s", (long)target->pid, strerror(errno));
        record_stopper_release(&stopper);
        return -1;
    }
    for (int tries = 0; tries < TRIES && taken == SAMPLER_TORN; tries++) {
        if (tries > 0)
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        taken = sampler_target_take(target, stack);
    }
    printing p = {options, target, 0};
    if (taken == SAMPLER_TAKEN)
        (options->json ? print_json : print_text)(&p, stack);
    record_stopper_release(&stopper);
    if (taken == SAMPLER_GONE)
        nytp_say("%ld: the process has ended, or executes another program", (long)target->pid);
    else if (taken == SAMPLER_TORN)
        nytp_say(
            "%ld: its stack changed during each of %d attempts; --stop stops the process while it is read",
            (long)target->pid, TRIES);
    return taken == SAMPLER_TAKEN ? 0 : -1;
}

int record_dump(const record_dump_options *options, const pid_t *pids, int count)
{
    int failed = 0;
    for (int n = 0; n < count; n++) {
        sampler_target target;
        sampler_stack stack = {0};
        sampler_target_init(&target, sampler_process_now(pids[n]), options->offsets, options->max_depth);
        if (dump_one(options, &target, &stack) != 0)
            failed = 1;
        sampler_stack_clear(&stack);
        sampler_target_clear(&target);
    }
    return nytp_exit(nytp_flush_stdout() == NYTP_EXIT_DONE && !failed);
}
