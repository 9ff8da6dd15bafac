/* Chunks folded into the files, lines, subs and arcs of a profile. */
#include "base/str.h"
#include "base/ticks.h"
#include "format/heap.h"
#include "format/marks.h"
#include "format/memory.h"
#include "format/tags.h"
#include "model/annotations.h"
#include "model/measure.h"
#include "model/profile.h"
#include "model/read.h"

#include <math.h>
#include <string.h>

/* Makes *kept a copy of text that the profile owns. */
static void keep_text(nytp_profile *p, nytp_str *kept, nytp_str text)
{
    if (!nytp_str_same(*kept, text))
        kept->bytes = g_string_chunk_insert_len(p->texts, text.bytes, (gssize)text.length);
    kept->length = text.length;
    kept->utf8 = text.utf8;
}

static void add_file(nytp_profile *p, const nytp_chunk *chunk)
{
    nytp_file *f = nytp_profile_file_for(p, chunk->new_fid.fid);
    keep_text(p, &f->name, chunk->new_fid.name);
    f->eval_fid = chunk->new_fid.eval_fid;
    f->eval_line = chunk->new_fid.eval_line;
    f->flags = chunk->new_fid.flags;
    f->size_bytes = chunk->new_fid.size;
    f->mtime_s = chunk->new_fid.mtime;
}

/* Only evals are compared by their text, so only that is hashed (FNV-1a), line by line. origin: the eval that
 * the line comes from, if nytprofmerge shows it in another one; otherwise 0. */
static void add_source(nytp_profile *p, const nytp_chunk *chunk, uint32_t origin)
{
    uint32_t fid = origin != 0 ? origin : chunk->src_line.fid;
    if (p->on_source != NULL)
        p->on_source(p->source_context, fid, chunk->src_line.line, chunk->src_line.text);
    nytp_file *f = nytp_profile_find_file(p, fid);
    if (f == NULL || f->eval_fid == 0)
        return;
    uint64_t h = f->source_bytes > 0 ? f->source_hash : UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < chunk->src_line.text.length; i++)
        h = (h ^ (unsigned char)chunk->src_line.text.bytes[i]) * UINT64_C(0x100000001B3);
    f->source_hash = h;
    f->source_bytes += chunk->src_line.text.length;
}

/* The stream has times of calls in seconds, but they are sums of whole ticks: rounding restores these. A
 * number that cannot be a time counts as 0. */
static int64_t whole_ticks(const nytp_profile *p, double seconds)
{
    double ticks = seconds * p->ticks_per_sec;
    return nytp_is_ticks(ticks) ? (int64_t)(ticks + (ticks < 0 ? -0.5 : 0.5)) : 0;
}

/* Stock's collector, and ours until 0.2.0, count the depth of recursion by CV. A wrapper with the name of the sub
 * that it calls, as Moose makes them with Sub::Util::set_subname(), is the same sub here, so the calls that it
 * makes are recursive. */
static void count_depth_by_sub(nytp_arc *arc)
{
    if (arc->caller != arc->callee || arc->incl_ticks <= 0)
        return;
    arc->reci_ticks = nytp_add_ticks(arc->reci_ticks, arc->incl_ticks);
    arc->incl_ticks = arc->kept_values = 0;
    arc->max_depth = MAX(arc->max_depth, 1);
}

static void add_callers(nytp_profile *p, const nytp_chunk *chunk)
{
    uint32_t callee = nytp_subs_number(&p->subs, chunk->sub_callers.called);
    if (chunk->sub_callers.fid == 0 && chunk->sub_callers.line == 0 && chunk->sub_callers.count == 0 &&
        chunk->sub_callers.caller.length == 0) {
        nytp_subs_mark_xsub(&p->subs, callee);
        return;
    }
    nytp_arc arc = {
        .caller = nytp_subs_number(&p->subs, chunk->sub_callers.caller),
        .callee = callee,
        .fid = chunk->sub_callers.fid,
        .line = chunk->sub_callers.line,
        .count = chunk->sub_callers.count,
        .max_depth = chunk->sub_callers.max_depth,
        .incl_ticks = whole_ticks(p, chunk->sub_callers.incl_s),
        .excl_ticks = whole_ticks(p, chunk->sub_callers.excl_s),
        .reci_ticks = whole_ticks(p, chunk->sub_callers.reci_s),
        .lacks_kept = p->next_kept.count == 0,
        .own_kept_values = (int64_t)p->next_kept.kept.own_values,
        .kept_values = (int64_t)p->next_kept.kept.values,
    };
    p->next_kept = (nytp_mark){0};
    count_depth_by_sub(&arc);
    nytp_subs_add_arc(&p->subs, &arc);
}

static void add_sub_info(nytp_profile *p, const nytp_chunk *chunk)
{
    uint32_t number = nytp_subs_number(&p->subs, chunk->sub_info.name);
    nytp_range range = {chunk->sub_info.fid, chunk->sub_info.first_line, chunk->sub_info.last_line};
    if (nytp_subs_add_range(&p->subs, number, range) && nytp_profile_is_eval(p, range.fid))
        g_array_append_val(p->eval_ranges, ((nytp_eval_range){number, range}));
}

/* Each key once, with the value it had last. */
static void add_setting(nytp_profile *p, const nytp_chunk *chunk)
{
    bool added;
    nytp_setting key = {chunk->tag, chunk->attribute.key, {"", 0, false}};
    nytp_setting *s = nytp_records_at(&p->settings, nytp_records_number(&p->settings, &key, &added));
    if (added)
        s->key.bytes = g_string_chunk_insert_len(p->texts, key.key.bytes, (gssize)key.key.length);
    keep_text(p, &s->value, chunk->attribute.value);
}

static void add_labels(nytp_profile *p, nytp_str value)
{
    if (p->labels == NULL)
        p->labels = nytp_labels_new();
    if (p->labels == NULL || !nytp_labels_add(p->labels, value))
        g_error("out of memory for labels");
}

/* The mark says how long the process has waited so far. */
static void note_wait(nytp_profile *p, double seconds)
{
    if (p->processes->len > 0)
        g_array_index(p->processes, nytp_process, p->processes->len - 1).wait_s = seconds;
}

static void take_setting(nytp_profile *p, const nytp_chunk *chunk)
{
    const double ticks_per_s = nytp_str_number(chunk->attribute.value);
    add_setting(p, chunk);
    if (nytp_str_is(chunk->attribute.key, "labels"))
        add_labels(p, chunk->attribute.value);
    if (nytp_str_is(chunk->attribute.key, "ticks_per_sec") && nytp_is_rate(ticks_per_s))
        p->ticks_per_sec = ticks_per_s;
}

/* How long the process waited is a part of the next statement, unless it is not known where. */
static void note_waited(nytp_profile *p, const nytp_mark *mark)
{
    p->measures_waits = p->has_waited = true;
    if (mark->kind == NYTP_MARK_STATE)
        p->next_share = nytp_waited_share(mark);
    else {
        nytp_waited_add(&p->waited, nytp_waited_of(mark));
        if (mark->waited.of_process == 0)
            nytp_waited_add(&p->next_waited, nytp_waited_of(mark));
    }
    p->next_has_waited = nytp_waited_ticks(p->next_share) > 0 || nytp_waited_ticks(p->next_waited) > 0;
}

static void forget_waited(nytp_profile *p)
{
    p->next_waited = p->next_share = (nytp_waited){0};
    p->next_has_waited = false;
}

static void note_heap_mark(nytp_profile *p, const nytp_mark *mark)
{
    p->has_heap_holders |= nytp_profile_setting_by_key(p, NYTP_ATTRIBUTE, "heap_holders") != NULL &&
                           nytp_str_is(mark->words, " " NYTP_HEAP_END);
}

/* What is said of a sample or a place is not kept as a setting. */
static void add_attribute(nytp_profile *p, const nytp_chunk *chunk)
{
    nytp_mark mark;
    if (!nytp_mark_read(chunk, &mark) && mark.kind != NYTP_NO_MARK)
        return;
    switch (mark.kind) {
    case NYTP_NO_MARK: take_setting(p, chunk); break;
    case NYTP_MARK_MEMORY: p->next_blocks = nytp_memory_read(chunk->attribute.value).blocks; break;
    case NYTP_MARK_STATE:
        nytp_states_add(&p->states, nytp_states_of(&mark));
        note_waited(p, &mark);
        break;
    case NYTP_MARK_WAIT_FOR_CPU: note_wait(p, mark.wait_for_cpu.seconds); break;
    case NYTP_MARK_PROCESS_CPU:
        add_setting(p, chunk);
        p->process_cpu_s = mark.process_cpu_s.seconds;
        break;
    case NYTP_MARK_SAMPLED_LOST: p->process_lost_s = fmax(mark.sampled_lost_s.seconds, 0); break;
    case NYTP_MARK_PROCESS_CUT:
        add_setting(p, chunk);
        p->process_is_cut = true;
        break;
    case NYTP_MARK_WAITED: note_waited(p, &mark); break;
    case NYTP_MARK_WAITS: p->measures_waits = true; break;
    case NYTP_MARK_KEPT: p->next_kept = mark; break;
    case NYTP_MARK_CLOCK: /* lib/events takes what is said of a place */
    case NYTP_MARK_COROUTINE:
    case NYTP_MARK_PARTS:
    case NYTP_MARK_REQUEST:
    case NYTP_MARK_TRACE_CONTEXT:
    case NYTP_MARK_MEMORY_AT:
    case NYTP_MARK_LEFT:
    case NYTP_MARK_EVAL_BEGIN:
    case NYTP_MARK_EVAL_END: break;
    case NYTP_MARK_HEAP_RECORDS: p->has_heap_records = true; break; /* lib/memory reads them */
    case NYTP_MARK_HEAP_MARK: note_heap_mark(p, &mark); break;
    case NYTP_MARK_HEAP_FILE: break;
    }
}

static void begin_process(nytp_profile *p, const nytp_chunk *chunk)
{
    nytp_process process = {.pid = chunk->pid_start.pid,
                            .parent = chunk->pid_start.parent,
                            .start_s = chunk->pid_start.time_s,
                            .application = nytp_profile_attribute(p, "application"),
                            .cpu_s = -1,
                            .wait_s = -1};
    int64_t index = nytp_pids_begin(&p->open, process.pid);
    if (index < 0)
        g_error("out of memory for processes");
    if (index >= p->open_numbers->len)
        g_array_set_size(p->open_numbers, (guint)index + 1);
    g_array_index(p->open_numbers, uint32_t, index) = p->processes->len;
    g_array_append_val(p->processes, process);
    forget_waited(p);
    p->process_lost_s = 0; /* older merged profiles end with the sum of all */
}

static void end_process(nytp_profile *p, const nytp_chunk *chunk)
{
    int64_t index = nytp_pids_end(&p->open, chunk->pid_end.pid);
    if (index < 0)
        return;
    uint32_t number = g_array_index(p->open_numbers, uint32_t, index);
    nytp_process *process = &g_array_index(p->processes, nytp_process, number);
    process->ended = true;
    process->end_s = chunk->pid_end.time_s;
    process->cpu_s = p->process_cpu_s;
    p->process_cpu_s = -1;
    process->lost_s = p->process_lost_s;
    p->process_lost_s = 0;
    process->is_cut = p->process_is_cut;
    p->process_is_cut = false;
}

static void add_waited(nytp_profile *p, const nytp_chunk *time)
{
    nytp_line_waited line = {time->time.fid, time->time.line, p->next_waited};
    const nytp_waited of_sample = nytp_waited_scaled(p->next_share, time->time.ticks);
    nytp_waited_add(&p->waited, of_sample);
    nytp_waited_add(&line.waited, of_sample);
    nytp_records_add(&p->line_waits, &line, nytp_line_waited_join);
    forget_waited(p);
}

static void add_time(nytp_profile *p, const nytp_chunk *chunk)
{
    if (p->next_has_waited)
        add_waited(p, chunk);
    nytp_statements to = nytp_profile_statements(p);
    const uint64_t count = p->next_blocks > 0 ? MIN(p->next_blocks, UINT32_MAX) : 1;
    nytp_statements_add(&to, nytp_get_statement(chunk, p->discount ? 0 : (uint32_t)count));
    p->statement_ticks += to.ticks;
    p->discount = false;
    p->next_blocks = 0;
}

static void add_comment(nytp_profile *p, nytp_str text)
{
    enum nytp_annotation kind = nytp_annotation_kind(text);
    if (kind == NYTP_BEGINS_ANNOTATIONS)
        p->was_merged = true;
    else if (p->was_merged && kind == NYTP_ANNOTATED_ORIGIN)
        p->origin = nytp_annotation_origin(text);
}

uint32_t nytp_profile_tags(void)
{
    return NYTP_BIT(ATTRIBUTE) | NYTP_BIT(OPTION) | NYTP_BIT(PID_START) | NYTP_BIT(PID_END) |
           NYTP_BIT(NEW_FID) | NYTP_BIT(TIME_LINE) | NYTP_BIT(TIME_BLOCK) | NYTP_BIT(DISCOUNT) |
           NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS) | NYTP_BIT(SRC_LINE) | NYTP_BIT(COMMENT);
}
/* Handles the chunks that nytp_profile_tags() lists. */
void nytp_profile_add(nytp_profile *p, const nytp_chunk *chunk)
{
    const uint32_t origin = p->origin;
    p->origin = 0;
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: add_time(p, chunk); break;
    case NYTP_DISCOUNT: p->discount = true; break;
    case NYTP_NEW_FID: add_file(p, chunk); break;
    case NYTP_SRC_LINE: add_source(p, chunk, origin); break;
    case NYTP_COMMENT: add_comment(p, chunk->comment.text); break;
    case NYTP_SUB_INFO: add_sub_info(p, chunk); break;
    case NYTP_SUB_CALLERS: add_callers(p, chunk); break;
    case NYTP_ATTRIBUTE: add_attribute(p, chunk); break;
    case NYTP_OPTION: add_setting(p, chunk); break;
    case NYTP_PID_START: begin_process(p, chunk); break;
    case NYTP_PID_END: end_process(p, chunk); break;
    case NYTP_COVER_UNIT: /* lib/cover has a model of these */
    case NYTP_COVER_HIT:
    case NYTP_SUB_ENTRY:
    case NYTP_SUB_RETURN:
    case NYTP_START_DEFLATE:
    case NYTP_VERSION: break;
    }
}
