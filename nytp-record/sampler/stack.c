#include "stack.h"

#include "callee.h"
#include "clock.h"
#include "code.h"
#include "pages.h"

#include <glib.h>
#include <string.h>

enum { TRIES = 60, FEWEST = 3 /* that are made even if they take long */ };
#define PATIENCE_NS (RECORD_SECOND_NS / 100) /* as long may a process wait that is stopped meanwhile */

struct record_stacks {
    const record_interpreter *i;
    record_pages *pages;
    record_interpreter kept; /* the same, by way of pages */
    record_optypes types;
    nytp_strings *strings;
    record_lookup lookup;
    record_callees *callees;
    record_snapshot snapshot;
    record_code code;
    size_t max_depth;
};

record_stacks *record_stacks_new(const record_interpreter *i, nytp_strings *strings, size_t max_depth)
{
    record_stacks *s = g_new0(record_stacks, 1);
    s->i = i;
    s->max_depth = max_depth;
    s->strings = strings;
    s->pages = record_pages_new(&i->memory);
    if (!record_optypes_read(&s->types, i)) {
        record_stacks_free(s);
        return NULL;
    }
    s->kept = *i;
    s->kept.memory = record_pages_memory(s->pages);
    s->lookup = (record_lookup){.i = i, .types = &s->types};
    s->lookup.statements = record_statements_new(i, &s->kept, &s->types, s->strings);
    s->lookup.subs = record_subs_new(i, &s->kept, &s->types, s->lookup.statements, s->strings);
    s->callees = record_callees_new(&s->kept, &s->types, strings);
    return s;
}

void record_stacks_free(record_stacks *s)
{
    if (s == NULL)
        return;
    record_callees_free(s->callees);
    record_subs_free(s->lookup.subs);
    record_statements_free(s->lookup.statements);
    record_optypes_clear(&s->types);
    record_snapshot_clear(&s->snapshot);
    record_code_clear(&s->code);
    record_pages_free(s->pages);
    g_free(s);
}

void record_stack_clear(record_stack *stack)
{
    g_free(stack->frames);
    *stack = (record_stack){0};
}

size_t record_stacks_kept(const record_stacks *s)
{
    return record_statements_count(s->lookup.statements) + record_subs_count(s->lookup.subs);
}

/* ---- frames ---- */

static record_frame *add_frame(record_stack *stack, enum record_frame_kind kind,
                               const record_statement *caller)
{
    if (stack->count == stack->room) {
        stack->room = stack->room * 2 + 64;
        stack->frames = g_realloc_n(stack->frames, stack->room, sizeof *stack->frames);
    }
    record_frame *frame = &stack->frames[stack->count++];
    *frame = (record_frame){.kind = kind,
                            .name = RECORD_NO_STRING,
                            .file = caller->file,
                            .line = caller->line,
                            .own_file = RECORD_NO_STRING};
    return frame;
}

/* PACKAGE::CORE:NAME, in the package of the statement that executes it, as the collector has it. */
static void add_builtin(record_stacks *s, record_stack *stack, const record_statement *caller,
                        const char *builtin)
{
    record_name name = {0};
    size_t length;
    record_label package = record_statements_package(s->lookup.statements, caller);
    if (package.name == RECORD_NO_STRING) {
        record_name_add_text(&name, "main");
    } else {
        const char *bytes = nytp_strings_get(s->strings, package.name, &length);
        record_name_add(&name, bytes, length, package.utf8);
    }
    record_name_add_text(&name, "::CORE:");
    record_name_add_text(&name, builtin);
    record_frame *frame = add_frame(stack, RECORD_FRAME_BUILTIN, caller);
    frame->name = record_intern(s->strings, name.bytes, name.length);
    frame->utf8 = name.utf8;
}

static enum record_frame_kind eval_kind(const record_stacks *s, const record_call *call)
{
    if (call->eval_op == s->types.entereval)
        return RECORD_FRAME_EVAL_STRING;
    return call->eval_op == s->types.require || call->eval_op == s->types.dofile ? RECORD_FRAME_REQUIRE
                                                                                 : RECORD_FRAME_EVAL_BLOCK;
}

static void add_call(record_stacks *s, record_stack *stack, size_t n)
{
    const record_call *call = &s->snapshot.calls[n];
    const record_statement *caller = &s->code.calls.callers[n];
    if (call->kind == RECORD_CALL_LATER)
        return;
    if (call->kind == RECORD_CALL_STACK) {
        if (call->stack_type == (int32_t)s->i->layout.si_type_sort)
            add_builtin(s, stack, call->cop != 0 ? caller : &s->code.current, "sort");
        return;
    }
    if (call->kind == RECORD_CALL_EVAL) {
        add_frame(stack, eval_kind(s, call), caller);
        return;
    }
    const record_sub *sub = &s->code.calls.subs[n];
    record_frame *frame =
        add_frame(stack, call->kind == RECORD_CALL_SUB ? RECORD_FRAME_SUB : RECORD_FRAME_FORMAT, caller);
    frame->name = sub->name;
    frame->utf8 = sub->utf8;
    frame->own_file = sub->file;
    frame->own_line = sub->first_line;
    frame->cv = call->cv;
    frame->depth = call->depth;
    frame->has_args = call->has_args;
}

/* What the op that runs is, if that is a built-in or calls an xsub. */
static void add_op(record_stacks *s, record_stack *stack)
{
    uint32_t type = s->code.op_type;
    if (type == RECORD_ABSENT || s->code.current.file == RECORD_NO_STRING)
        return;
    const char *builtin = record_optypes_builtin(&s->types, type);
    if (builtin != NULL)
        add_builtin(s, stack, &s->code.current, builtin);
    if (type != s->types.entersub)
        return;
    /* A sub that begins has its pad already while the op still calls it. */
    record_label callee = record_callees_find(s->callees, s->code.running.op, s->code.op_within,
                                              s->code.running.curpad, s->snapshot.steady);
    if (callee.name == RECORD_NO_STRING)
        return;
    record_frame *frame = add_frame(stack, RECORD_FRAME_BUILTIN, &s->code.current);
    frame->name = callee.name;
    frame->utf8 = callee.utf8;
}

static void build(record_stacks *s, record_stack *stack)
{
    const record_snapshot *snapshot = &s->snapshot;
    stack->count = 0;
    stack->cut = snapshot->cut;
    for (size_t n = 0; n < snapshot->count; n++)
        add_call(s, stack, n);
    add_op(s, stack);
    stack->file = s->code.current.file;
    stack->line = s->code.current.line;
}

/* Leaves out outer calls where there are too many, before they cost anything. */
static void cut(record_snapshot *snapshot, size_t max_depth)
{
    size_t first = snapshot->count;
    for (size_t subs = 0; first > 0 && subs < max_depth; first--)
        subs += snapshot->calls[first - 1].kind == RECORD_CALL_SUB;
    if (first == 0)
        return;
    snapshot->count -= first;
    snapshot->sure = snapshot->sure > first ? snapshot->sure - first : 0;
    memmove(snapshot->calls, snapshot->calls + first, snapshot->count * sizeof *snapshot->calls);
    snapshot->cut = true;
}

enum record_taken record_stacks_take(record_stacks *s, record_stack *stack)
{
    int64_t end_ns = record_now_ns() + PATIENCE_NS;
    for (int tries = 0; tries < FEWEST || (tries < TRIES && record_now_ns() < end_ns); tries++) {
        enum record_taken taken = record_snapshot_take(&s->snapshot, s->i);
        if (taken == RECORD_GONE)
            return taken;
        if (taken != RECORD_TAKEN)
            continue;
        cut(&s->snapshot, s->max_depth);
        record_pages_forget(s->pages);
        s->lookup.number++;
        if (record_code_look_up(&s->code, &s->lookup, &s->snapshot)) {
            build(s, stack);
            return RECORD_TAKEN;
        }
    }
    return RECORD_TORN;
}
