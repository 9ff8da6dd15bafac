#include "fold.h"

#include "arcs.h"
#include "files.h"

#include "base/ticks.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A call that goes on. */
typedef struct frame {
    record_label sub;
    uint32_t raw_name;       /* as the stack has it */
    uint32_t raw_file, line; /* of the call */
    uint32_t fid;
    double entered_ticks, inner_ticks; /* the clock when it was entered; time of what it called */
} frame;

struct record_fold {
    nytp_writer *writer;
    nytp_strings *strings;
    record_files *files;
    record_arcs *arcs;
    GArray *frames;         /* of frame, outermost first */
    GArray *active;         /* of uint32_t, by name: how many calls of the sub go on */
    double clock_ticks;     /* time of all stacks so far */
    double unwritten_ticks; /* what rounding left of it */
    record_label runtime;
    uint32_t runtime_fid;
};

record_fold *record_fold_new(nytp_writer *writer, nytp_strings *strings, const char *directory)
{
    record_fold *f = g_new0(record_fold, 1);
    f->writer = writer;
    f->strings = strings;
    f->files = record_files_new(writer, strings, directory);
    f->arcs = record_arcs_new(strings);
    f->frames = g_array_new(FALSE, FALSE, sizeof(frame));
    f->active = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    f->runtime.name = record_intern(strings, "main::RUNTIME", strlen("main::RUNTIME"));
    return f;
}

void record_fold_free(record_fold *f)
{
    if (f == NULL)
        return;
    record_files_free(f->files);
    record_arcs_free(f->arcs);
    g_array_free(f->frames, TRUE);
    g_array_free(f->active, TRUE);
    g_free(f);
}

/* ---- calls ---- */

static uint32_t *active_of(record_fold *f, record_label sub)
{
    if (f->active->len <= sub.name)
        g_array_set_size(f->active, sub.name + 1);
    return &g_array_index(f->active, uint32_t, sub.name);
}

static frame *frame_at(const record_fold *f, guint n)
{
    return &g_array_index(f->frames, frame, n);
}

static record_label caller_of(const record_fold *f, guint n)
{
    return n == 0 ? f->runtime : frame_at(f, n - 1)->sub;
}

static void end_call(record_fold *f)
{
    guint n = f->frames->len - 1;
    frame last = *frame_at(f, n);
    double incl = f->clock_ticks - last.entered_ticks;
    nytp_chunk chunk = {.tag = NYTP_SUB_RETURN};
    chunk.sub_return.depth = n + 1;
    chunk.sub_return.incl_ticks = incl;
    chunk.sub_return.excl_ticks = incl - last.inner_ticks;
    chunk.sub_return.name.bytes = nytp_strings_get(f->strings, last.sub.name, &chunk.sub_return.name.length);
    chunk.sub_return.name.utf8 = last.sub.utf8;
    nytp_writer_chunk(f->writer, &chunk);
    uint32_t around = --*active_of(f, last.sub);
    record_arcs_add(f->arcs, &(record_ended_call){caller_of(f, n), last.sub, last.fid, last.line, around,
                                                  incl, incl - last.inner_ticks});
    g_array_set_size(f->frames, n);
    if (n > 0)
        frame_at(f, n - 1)->inner_ticks += incl;
}

/* An anonymous sub of an eval is named with the eval's place, as the eval is. */
static record_label shown_name(record_fold *f, const record_frame *from)
{
    record_label label = {from->name, from->utf8};
    if (from->own_file == RECORD_NO_STRING)
        return label;
    uint32_t shown = record_files_shown(f->files, from->own_file);
    size_t name_length, raw_length, shown_length;
    const char *name = nytp_strings_get(f->strings, from->name, &name_length);
    const char *raw = nytp_strings_get(f->strings, from->own_file, &raw_length);
    const char *open = shown != from->own_file ? strstr(name, "::__ANON__[") : NULL;
    if (open == NULL || strncmp(open + strlen("::__ANON__["), raw, raw_length) != 0)
        return label;
    size_t before = (size_t)(open - name) + strlen("::__ANON__[");
    char *text =
        g_strdup_printf("%.*s%s%s", (int)before, name, nytp_strings_get(f->strings, shown, &shown_length),
                        name + before + raw_length);
    label.name = record_intern(f->strings, text, strlen(text));
    g_free(text);
    return label;
}

static void begin_call(record_fold *f, const record_frame *from)
{
    frame new = {.raw_name = from->name, .raw_file = from->file, .line = from->line};
    new.sub = shown_name(f, from);
    new.fid = record_files_fid(f->files, from->file);
    new.entered_ticks = f->clock_ticks;
    nytp_chunk chunk = {.tag = NYTP_SUB_ENTRY};
    chunk.sub_entry.fid = new.fid;
    chunk.sub_entry.line = new.line;
    nytp_writer_chunk(f->writer, &chunk);
    ++*active_of(f, new.sub);
    if (from->kind == RECORD_FRAME_BUILTIN)
        record_arcs_seen(f->arcs, new.sub, new.fid, 0, 0);
    else if (from->own_file != RECORD_NO_STRING)
        record_arcs_seen(f->arcs, new.sub, record_files_fid(f->files, from->own_file), from->own_line,
                         from->own_line);
    g_array_append_val(f->frames, new);
}

/* ---- stacks ---- */

static bool is_same(const frame *old, const record_frame *from)
{
    return old->raw_name == from->name && old->raw_file == from->file && old->line == from->line;
}

/* Evals are named by where they are done, which only a stack with their frames says. */
static void place_evals(record_fold *f, const record_stack *stack)
{
    for (size_t n = 0; n < stack->count; n++) {
        const record_frame *eval = &stack->frames[n];
        if (eval->kind == RECORD_FRAME_EVAL_STRING)
            record_files_eval_at(f->files, record_stack_spot(stack, n + 1).file, eval->file, eval->line);
    }
}

/* Has each sub end not before the line that runs in it. Frames before the first one were seen before. */
static void see_lines(record_fold *f, const record_stack *stack, size_t first)
{
    const record_frame *sub = NULL;
    for (size_t n = first; n <= stack->count; n++) {
        const record_frame *next = n < stack->count ? &stack->frames[n] : NULL;
        record_spot at = record_stack_spot(stack, n);
        if (sub != NULL && at.file == sub->own_file && at.file != RECORD_NO_STRING)
            record_arcs_seen(f->arcs, shown_name(f, sub), record_files_fid(f->files, at.file), sub->own_line,
                             at.line);
        if (next != NULL && next->kind != RECORD_FRAME_EVAL_BLOCK)
            sub = next->kind == RECORD_FRAME_SUB && record_frame_is_call(next) ? next : NULL;
    }
}

static void write_time(record_fold *f, const record_stack *stack, double ticks)
{
    double whole = floor(ticks + f->unwritten_ticks);
    f->unwritten_ticks += ticks - whole;
    nytp_chunk chunk = {.tag = NYTP_TIME_LINE};
    chunk.time.ticks = (int32_t)CLAMP(whole, 0, INT32_MAX);
    chunk.time.fid = record_files_fid(f->files, stack->file);
    chunk.time.line = MAX(stack->line, 1);
    if (chunk.time.fid != 0)
        nytp_writer_chunk(f->writer, &chunk);
}

void record_fold_add(record_fold *f, const record_stack *stack, double ticks)
{
    guint depth = 0;
    size_t n = 0, innermost = 0; /* of the calls that go on */
    place_evals(f, stack);
    for (; n < stack->count; n++) {
        if (!record_frame_is_call(&stack->frames[n]))
            continue;
        if (depth == f->frames->len || !is_same(frame_at(f, depth), &stack->frames[n]))
            break;
        depth++;
        innermost = n;
    }
    while (f->frames->len > depth)
        end_call(f);
    for (; n < stack->count; n++)
        if (record_frame_is_call(&stack->frames[n]))
            begin_call(f, &stack->frames[n]);
    see_lines(f, stack, innermost);
    write_time(f, stack, ticks);
    f->clock_ticks += ticks;
    if (f->runtime_fid == 0 && stack->count > 0)
        f->runtime_fid = record_files_fid(f->files, stack->frames[0].file);
}

void record_fold_conclude(record_fold *f)
{
    while (f->frames->len > 0)
        end_call(f);
    if (f->runtime_fid != 0)
        record_arcs_seen(f->arcs, f->runtime, f->runtime_fid, 1, 1);
    record_arcs_write(f->arcs, f->writer, NYTP_USUAL_TICKS_PER_SEC);
}
