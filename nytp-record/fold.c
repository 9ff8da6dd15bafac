#include "fold.h"

#include "base/str.h"
#include "base/ticks.h"
#include "model/grow.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A call that goes on. */
typedef struct frame {
    sampler_label sub;
    uint32_t raw_name;       /* as the stack had it; SAMPLER_NO_STRING: its strings have other numbers now */
    uint32_t raw_file, line; /* of the call */
    uint32_t fid;
    double entered_ticks, inner_ticks; /* the clock when it was entered; time of what it called */
} frame;

/* With one more, readers merge all evals of a place (lib/model/evals.c). */
enum { EVALS_APART = 200 };

enum { MOST_NAME_BYTES = 1 << 20, MOST_ARCS = 1 << 14 }; /* until they are written, and forgotten */

struct record_fold {
    nytp_writer *writer;
    const nytp_strings *strings; /* of stacks */
    nytp_strings *names;         /* of subs in the profile */
    sampler_evals *evals;
    record_sources *sources; /* may be NULL */
    record_files *files;
    record_arcs *arcs;
    GArray *frames;         /* of frame, outermost first */
    GArray *active;         /* of uint32_t, by number of the name: how many calls of the sub go on */
    double clock_ticks;     /* time of all stacks so far */
    double unwritten_ticks; /* what rounding left of it */
    sampler_label runtime;
    uint32_t runtime_fid;
    double state_s[SAMPLER_STATES]; /* of the next stack */
    bool has_state;
};

static const char *text_of(const nytp_strings *strings, uint32_t number)
{
    size_t length;
    return nytp_strings_get(strings, number, &length);
}

static uint32_t *active_of(record_fold *f, sampler_label sub)
{
    if (f->active->len <= sub.name)
        g_array_set_size(f->active, sub.name + 1);
    return &g_array_index(f->active, uint32_t, sub.name);
}

static void begin_names(record_fold *f)
{
    f->names = nytp_strings_new();
    if (f->names == NULL)
        g_error("out of memory");
    f->arcs = record_arcs_new(f->names);
    f->active = NYTP_ZEROED_ARRAY(uint32_t);
    f->runtime.name = sampler_intern(f->names, NYTP_RUNTIME, strlen(NYTP_RUNTIME));
}

static void end_names(record_fold *f)
{
    record_arcs_free(f->arcs);
    nytp_strings_free(f->names);
    g_array_free(f->active, TRUE);
}

/* Readers add up what is written several times. */
static void trim(record_fold *f)
{
    if (nytp_strings_bytes(f->names) <= MOST_NAME_BYTES && record_arcs_count(f->arcs) <= MOST_ARCS)
        return;
    record_fold before = *f;
    record_arcs_write(f->arcs, f->writer, NYTP_USUAL_TICKS_PER_SEC);
    begin_names(f);
    NYTP_EACH(frame, one, f->frames) {
        sampler_label *sub = &one->sub;
        size_t length;
        const char *name = nytp_strings_get(before.names, sub->name, &length);
        sub->name = sampler_intern(f->names, name, length);
        ++*active_of(f, *sub);
    }
    end_names(&before);
}

record_fold *record_fold_new(nytp_writer *writer, const nytp_strings *strings, record_sources *sources)
{
    record_fold *f = g_new0(record_fold, 1);
    f->writer = writer;
    f->strings = strings;
    f->evals = sampler_evals_new(EVALS_APART);
    f->sources = sources;
    f->files = record_files_new(writer, f->evals, sources);
    f->frames = NYTP_ARRAY(frame);
    begin_names(f);
    return f;
}

void record_fold_free(record_fold *f)
{
    if (f == NULL)
        return;
    end_names(f);
    record_files_free(f->files);
    sampler_evals_free(f->evals);
    g_array_free(f->frames, TRUE);
    g_free(f);
}

static frame *frame_at(const record_fold *f, guint n)
{
    return &g_array_index(f->frames, frame, n);
}

static sampler_label caller_of(const record_fold *f, guint n)
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
    chunk.sub_return.name.bytes = nytp_strings_get(f->names, last.sub.name, &chunk.sub_return.name.length);
    chunk.sub_return.name.utf8 = last.sub.utf8;
    nytp_writer_chunk(f->writer, &chunk);
    uint32_t around = --*active_of(f, last.sub);
    record_arcs_add(f->arcs, &(record_ended_call){caller_of(f, n), last.sub, last.fid, last.line, around,
                                                  incl, incl - last.inner_ticks});
    g_array_set_size(f->frames, n);
    if (n > 0)
        frame_at(f, n - 1)->inner_ticks += incl;
}

static sampler_label shown_name(record_fold *f, const sampler_frame *from)
{
    size_t length;
    const char *name = nytp_strings_get(f->strings, from->name, &length);
    g_autofree char *other = from->own_file != SAMPLER_NO_STRING
                                 ? sampler_evals_sub(f->evals, name, text_of(f->strings, from->own_file))
                                 : NULL;
    uint32_t number =
        sampler_intern(f->names, other != NULL ? other : name, other != NULL ? strlen(other) : length);
    return (sampler_label){number, from->utf8};
}

static uint32_t fid_of(record_fold *f, uint32_t file)
{
    return record_files_fid(f->files, f->strings, file);
}

/* Where a sub begins. */
static void see_sub(record_fold *f, sampler_label sub, const sampler_frame *from)
{
    const uint32_t fid = fid_of(f, from->own_file);
    record_arcs_seen(f->arcs, sub, fid, from->own_line, from->own_line);
    if (f->sources != NULL && from->kind == SAMPLER_FRAME_SUB)
        record_sources_see_sub(f->sources, fid, text_of(f->names, sub.name), from->own_line);
}

static void begin_call(record_fold *f, const sampler_frame *from)
{
    frame new = {.raw_name = from->name, .raw_file = from->file, .line = from->line};
    new.sub = shown_name(f, from);
    new.fid = from->kind == SAMPLER_FRAME_CUT ? record_files_unknown(f->files) : fid_of(f, from->file);
    new.entered_ticks = f->clock_ticks;
    nytp_chunk chunk = {.tag = NYTP_SUB_ENTRY};
    chunk.sub_entry.fid = new.fid;
    chunk.sub_entry.line = new.line;
    nytp_writer_chunk(f->writer, &chunk);
    ++*active_of(f, new.sub);
    if (from->kind == SAMPLER_FRAME_BUILTIN || from->kind == SAMPLER_FRAME_CUT)
        record_arcs_seen(f->arcs, new.sub, new.fid, 0, 0);
    else if (from->own_file != SAMPLER_NO_STRING)
        see_sub(f, new.sub, from);
    g_array_append_val(f->frames, new);
}

/* Whether a call of the stack is one that goes on. */
static bool is_same(record_fold *f, frame *old, const sampler_frame *from)
{
    if (old->raw_name != SAMPLER_NO_STRING)
        return old->raw_name == from->name && old->raw_file == from->file && old->line == from->line;
    if (old->line != from->line || old->sub.name != shown_name(f, from).name ||
        old->fid != fid_of(f, from->file))
        return false;
    old->raw_name = from->name;
    old->raw_file = from->file;
    return true;
}

/* Extends the last line of each sub to the line that runs in it. Frames before the first one were seen
 * before. */
static void see_lines(record_fold *f, const sampler_stack *stack, size_t first)
{
    const sampler_frame *sub = NULL;
    for (size_t n = first; n <= stack->count; n++) {
        const sampler_frame *next = n < stack->count ? &stack->frames[n] : NULL;
        sampler_spot at = sampler_stack_spot(stack, n);
        if (sub != NULL && at.file == sub->own_file && at.file != SAMPLER_NO_STRING)
            record_arcs_seen(f->arcs, shown_name(f, sub), fid_of(f, at.file), sub->own_line, at.line);
        if (next != NULL && next->kind != SAMPLER_FRAME_EVAL_BLOCK)
            sub = next->kind == SAMPLER_FRAME_SUB && sampler_frame_is_call(next) ? next : NULL;
    }
}

static void write_attribute(record_fold *f, const char *key, const char *value)
{
    nytp_writer_chunk(
        f->writer, &(nytp_chunk){.tag = NYTP_ATTRIBUTE, .attribute = {nytp_str_of(key), nytp_str_of(value)}});
}

/* When: that is the time of all stacks so far, as programs show it. */
void record_fold_memory(record_fold *f, uint64_t rss_bytes, uint64_t values)
{
    char value[100];
    int length = snprintf(value, sizeof value, "%.0f %llu", f->clock_ticks, (unsigned long long)rss_bytes);
    if (values > 0)
        snprintf(value + length, sizeof value - (size_t)length, " %llu", (unsigned long long)values);
    write_attribute(f, "memory_at", value);
}

/* `state=RUN WAIT SLEEP`, in ns, says it of the TIME_LINE after it. */
static void write_state(record_fold *f)
{
    char value[80];
    if (!f->has_state)
        return;
    snprintf(value, sizeof value, "%lld %lld %lld", llround(f->state_s[SAMPLER_RUN] * 1e9),
             llround(f->state_s[SAMPLER_WAIT] * 1e9), llround(f->state_s[SAMPLER_SLEEP] * 1e9));
    write_attribute(f, "state", value);
    f->has_state = false;
}

/* Each sample has one TIME_LINE. Where not even the file is known, it is one of a file that stands for that.
 */
static void write_time(record_fold *f, const sampler_stack *stack, double ticks)
{
    double whole = floor(ticks + f->unwritten_ticks);
    bool is_known = stack->file != SAMPLER_NO_STRING;
    f->unwritten_ticks += ticks - whole;
    write_state(f);
    nytp_chunk chunk = {.tag = NYTP_TIME_LINE};
    chunk.time.ticks = (int32_t)CLAMP(whole, 0, INT32_MAX);
    chunk.time.fid = is_known ? fid_of(f, stack->file) : record_files_unknown(f->files);
    chunk.time.line = is_known ? MAX(stack->line, 1) : 1;
    nytp_writer_chunk(f->writer, &chunk);
}

void record_fold_state(record_fold *f, const double state_s[SAMPLER_STATES])
{
    memcpy(f->state_s, state_s, sizeof f->state_s);
    f->has_state = true;
}

void record_fold_add(record_fold *f, const sampler_stack *stack, double ticks)
{
    guint depth = 0;
    size_t n = 0, innermost = 0; /* of the calls that go on */
    trim(f);
    sampler_evals_see(f->evals, f->strings, stack);
    for (; n < stack->count; n++) {
        if (!sampler_frame_is_call(&stack->frames[n]))
            continue;
        if (depth == f->frames->len || !is_same(f, frame_at(f, depth), &stack->frames[n]))
            break;
        depth++;
        innermost = n;
    }
    while (f->frames->len > depth)
        end_call(f);
    for (; n < stack->count; n++)
        if (sampler_frame_is_call(&stack->frames[n]))
            begin_call(f, &stack->frames[n]);
    see_lines(f, stack, innermost);
    write_time(f, stack, ticks);
    f->clock_ticks += ticks;
    if (f->runtime_fid == 0 && stack->count > 0 && !stack->cut)
        f->runtime_fid = fid_of(f, stack->frames[0].file);
}

static void end_calls(record_fold *f)
{
    while (f->frames->len > 0)
        end_call(f);
}

void record_fold_end_program(record_fold *f)
{
    end_calls(f);
    sampler_evals_clear(f->evals);
    record_files_renumber(f->files);
}

void record_fold_renumber(record_fold *f, const nytp_strings *strings)
{
    f->strings = strings;
    record_files_renumber(f->files);
    NYTP_EACH(frame, one, f->frames)
        one->raw_name = SAMPLER_NO_STRING;
}

void record_fold_conclude(record_fold *f)
{
    end_calls(f);
    if (f->runtime_fid != 0)
        record_arcs_seen(f->arcs, f->runtime, f->runtime_fid, 1, 1);
    if (f->sources != NULL)
        record_sources_conclude(f->sources);
    record_arcs_write(f->arcs, f->writer, NYTP_USUAL_TICKS_PER_SEC);
}
