#include "sampler/sample/resolve.h"

#include "model/grow.h"
#include "sampler/perl/xsubs.h"
#include "sampler/process/remote.h"
#include "sampler/process/process.h"
#include "sampler/sample/consistency.h"

#include <glib.h>
#include <string.h>

enum { TRIES = 60, FEWEST = 3 /* that are made even if they take long */ };
#define PATIENCE_NS (SAMPLER_SECOND_NS / 100) /* as long may a process wait that is stopped meanwhile */

/* What one sample may read, however often it is tried, at most and for each call that is wanted. LOOKS are
 * those in pages that have been read. */
enum {
    MOST_READS = 200 * 1000,
    MORE_READS = 100,
    MOST_BYTES = 256 << 20,
    MORE_BYTES = 4096,
    LOOKS = 20 /* as many as reads */
};

struct sampler_stacks {
    sampler_budget reads, looks;
    sampler_interpreter limited; /* the process's, whose memory is limited by reads */
    const sampler_interpreter *i;
    sampler_pages *pages;
    sampler_interpreter paged; /* the same, by way of pages, limited by looks */
    sampler_optypes types;
    nytp_strings *strings;
    sampler_lookup lookup;
    sampler_xsubs *callees;
    sampler_snapshot snapshot;
    sampler_consistency code;
};

static void renew_budgets(sampler_stacks *s)
{
    const uint64_t pieces = MOST_READS + MORE_READS * (uint64_t)s->snapshot.max_depth;
    const uint64_t bytes = MOST_BYTES + MORE_BYTES * (uint64_t)s->snapshot.max_depth;
    sampler_budget_renew(&s->reads, pieces, bytes);
    sampler_budget_renew(&s->looks, LOOKS * pieces, LOOKS * bytes);
}

sampler_stacks *sampler_stacks_new(const sampler_interpreter *i, nytp_strings *strings, size_t max_depth)
{
    sampler_stacks *s = g_new0(sampler_stacks, 1);
    sampler_snapshot_init(&s->snapshot, max_depth);
    renew_budgets(s);
    s->reads.memory = i->memory;
    s->limited = *i;
    s->limited.memory = sampler_budget_memory(&s->reads);
    s->i = i = &s->limited;
    s->strings = strings;
    s->pages = sampler_pages_new(&i->memory);
    if (!sampler_optypes_read(&s->types, i)) {
        sampler_stacks_free(s);
        return NULL;
    }
    s->paged = *i;
    s->looks.memory = sampler_pages_memory(s->pages);
    s->paged.memory = sampler_budget_memory(&s->looks);
    s->lookup = (sampler_lookup){.i = i, .types = &s->types};
    s->lookup.statements = sampler_statements_new(i, &s->paged, &s->types, s->strings);
    s->lookup.subs = sampler_subs_new(i, &s->paged, &s->types, s->lookup.statements, s->strings);
    s->callees = sampler_xsubs_new(&s->paged, &s->types, strings);
    return s;
}

void sampler_stacks_free(sampler_stacks *s)
{
    if (s == NULL)
        return;
    sampler_xsubs_free(s->callees);
    sampler_subs_free(s->lookup.subs);
    sampler_statements_free(s->lookup.statements);
    sampler_optypes_clear(&s->types);
    sampler_snapshot_clear(&s->snapshot);
    sampler_consistency_clear(&s->code);
    sampler_pages_free(s->pages);
    g_free(s);
}

void sampler_stack_clear(sampler_stack *stack)
{
    g_free(stack->frames);
    *stack = (sampler_stack){0};
}

size_t sampler_stacks_kept(const sampler_stacks *s)
{
    return sampler_statements_count(s->lookup.statements) + sampler_subs_count(s->lookup.subs);
}

static sampler_frame *add_frame(sampler_stack *stack, enum sampler_frame_kind kind,
                                const sampler_statement *caller)
{
    stack->frames = nytp_grown(stack->frames, &stack->room, stack->count + 1, sizeof *stack->frames);
    sampler_frame *frame = &stack->frames[stack->count++];
    *frame = (sampler_frame){.kind = kind,
                             .name = SAMPLER_NO_STRING,
                             .file = caller->file,
                             .line = caller->line,
                             .own_file = SAMPLER_NO_STRING};
    return frame;
}

/* PACKAGE::CORE:NAME, in the package of the statement that executes it, as the collector has it. */
static void add_builtin(sampler_stacks *s, sampler_stack *stack, const sampler_statement *caller,
                        const char *builtin)
{
    sampler_name name = {0};
    size_t length;
    sampler_label package = sampler_statements_package(s->lookup.statements, caller);
    if (package.name == SAMPLER_NO_STRING) {
        sampler_name_add_text(&name, "main");
    } else {
        const char *bytes = nytp_strings_get(s->strings, package.name, &length);
        sampler_name_add(&name, bytes, length, package.utf8);
    }
    sampler_name_add_text(&name, "::CORE:");
    sampler_name_add_text(&name, builtin);
    sampler_frame *frame = add_frame(stack, SAMPLER_FRAME_BUILTIN, caller);
    frame->name = sampler_intern(s->strings, name.bytes, name.length);
    frame->utf8 = name.utf8;
}

static enum sampler_frame_kind eval_kind(const sampler_stacks *s, const sampler_call *call)
{
    if (call->eval_op == s->types.entereval)
        return SAMPLER_FRAME_EVAL_STRING;
    return call->eval_op == s->types.require || call->eval_op == s->types.dofile ? SAMPLER_FRAME_REQUIRE
                                                                                 : SAMPLER_FRAME_EVAL_BLOCK;
}

static void add_call(sampler_stacks *s, sampler_stack *stack, size_t n)
{
    const sampler_call *call = &s->snapshot.calls[n];
    const sampler_statement *caller = &s->code.calls.callers[n];
    if (call->kind == SAMPLER_CALL_LATER)
        return;
    if (call->kind == SAMPLER_CALL_STACK) {
        if (call->stack_type == (int32_t)s->i->layout.si_type_sort)
            add_builtin(s, stack, call->cop != 0 ? caller : &s->code.current, "sort");
        return;
    }
    if (call->kind == SAMPLER_CALL_EVAL) {
        add_frame(stack, eval_kind(s, call), caller);
        return;
    }
    const sampler_sub *sub = &s->code.calls.subs[n];
    sampler_frame *frame =
        add_frame(stack, call->kind == SAMPLER_CALL_SUB ? SAMPLER_FRAME_SUB : SAMPLER_FRAME_FORMAT, caller);
    frame->name = sub->name;
    frame->utf8 = sub->utf8;
    frame->own_file = sub->file;
    frame->own_line = sub->first_line;
    frame->cv = call->cv;
    frame->depth = call->depth;
    frame->has_args = call->has_args;
}

/* What the op that runs is, if that is a built-in or calls an xsub. */
static void add_op(sampler_stacks *s, sampler_stack *stack)
{
    uint32_t type = s->code.op_type;
    if (type == SAMPLER_ABSENT || s->code.current.file == SAMPLER_NO_STRING)
        return;
    const char *builtin = sampler_optypes_builtin(&s->types, type);
    if (builtin != NULL)
        add_builtin(s, stack, &s->code.current, builtin);
    if (type != s->types.entersub)
        return;
    /* A sub that begins has its pad already while the op still calls it. */
    const sampler_running *running = &s->code.running;
    sampler_label callee = sampler_xsubs_find(
        s->callees, (sampler_calling){running->op, running->curpad, running->callee, s->snapshot.steady},
        s->code.op_within);
    if (callee.name == SAMPLER_NO_STRING)
        return;
    sampler_frame *frame = add_frame(stack, SAMPLER_FRAME_BUILTIN, &s->code.current);
    frame->name = callee.name;
    frame->utf8 = callee.utf8;
}

static void add_cut(const sampler_stacks *s, sampler_stack *stack)
{
    static const char name[] = "main::(outer calls left out)";
    const sampler_statement unknown = {.file = SAMPLER_NO_STRING, .line = 1};
    sampler_frame *frame = add_frame(stack, SAMPLER_FRAME_CUT, &unknown);
    frame->name = sampler_intern(s->strings, name, sizeof name - 1);
}

static void build(sampler_stacks *s, sampler_stack *stack)
{
    const sampler_snapshot *snapshot = &s->snapshot;
    stack->count = 0;
    stack->cut = snapshot->cut;
    stack->moved = !snapshot->steady;
    if (stack->cut)
        add_cut(s, stack);
    for (size_t n = 0; n < snapshot->count; n++)
        add_call(s, stack, n);
    add_op(s, stack);
    stack->file = s->code.current.file;
    stack->line = s->code.current.line;
}

/* Leaves out outer calls where there are too many, before they cost anything. */
static void cut(sampler_snapshot *snapshot)
{
    size_t first = snapshot->count;
    for (size_t subs = 0; first > 0 && subs < snapshot->max_depth; first--)
        subs += snapshot->calls[first - 1].kind == SAMPLER_CALL_SUB;
    if (first == 0)
        return;
    snapshot->count -= first;
    snapshot->sure = snapshot->sure > first ? snapshot->sure - first : 0;
    memmove(snapshot->calls, snapshot->calls + first, snapshot->count * sizeof *snapshot->calls);
    snapshot->cut = true;
}

enum sampler_taken sampler_stacks_take(sampler_stacks *s, sampler_stack *stack)
{
    int64_t end_ns = sampler_now_ns() + PATIENCE_NS;
    renew_budgets(s);
    for (int tries = 0; tries < FEWEST || (tries < TRIES && sampler_now_ns() < end_ns); tries++) {
        enum sampler_taken taken = sampler_snapshot_take(&s->snapshot, s->i);
        if (s->reads.exceeded || s->looks.exceeded)
            return SAMPLER_TORN;
        if (taken == SAMPLER_GONE)
            return taken;
        if (taken != SAMPLER_TAKEN)
            continue;
        cut(&s->snapshot);
        sampler_pages_forget(s->pages);
        s->lookup.generation++;
        if (sampler_consistency_look_up(&s->code, &s->lookup, &s->snapshot)) {
            build(s, stack);
            return SAMPLER_TAKEN;
        }
    }
    return SAMPLER_TORN;
}
