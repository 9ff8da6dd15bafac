/* The reader of a tmon.out: splits it into lines, and makes the chunks that a profile has before and after
 * its calls. tmonhead.c decodes the header and tmonmark.c the marks; tmoncalls.c has subs, stack and arcs. */
#include "format/dprof/tmon.h"

#include "base/error.h"
#include "base/str.h"
#include "base/stringtable.h"
#include "format/dprof/tmonstate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "#fOrTyTwO";

enum { MAGIC_BYTES = sizeof magic - 1 };

void nytp_tmon_free(struct nytp_tmon *tmon)
{
    if (tmon == NULL)
        return;
    nytp_tmon_calls_clear(&tmon->calls);
    free(tmon);
}

static struct nytp_tmon *tmon_new(const nytp_reader *r)
{
    struct nytp_tmon *t = calloc(1, sizeof *t);
    if (t == NULL || nytp_tmon_calls_init(&t->calls) < 0) {
        nytp_tmon_free(t);
        return NULL;
    }
    t->options = r->dprof;
    t->calls.want_arcs = (r->wanted & nytp_tag_bit(NYTP_SUB_CALLERS)) != 0;
    t->entry_due = NYTP_TMON_NONE;
    t->run_ticks = t->write_began_ticks = NAN;
    return t;
}

nytp_decode_result nytp_tmon_begin(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c)
{
    enum { FIRST_LINE = MAGIC_BYTES + 2 }; /* with "\r\n" */
    size_t have = (size_t)(r->end - r->at);
    const unsigned char *newline = memchr(r->at, '\n', have < FIRST_LINE ? have : FIRST_LINE);
    if (memcmp(r->at, magic, have < MAGIC_BYTES ? have : MAGIC_BYTES) != 0 ||
        (newline == NULL && have >= FIRST_LINE))
        return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at, NYTP_NOT_A_PROFILE);
    if (newline == NULL)
        return NYTP_NEEDS_BYTES;
    r->tmon = tmon_new(r);
    if (r->tmon == NULL)
        return nytp_reader_out_of_memory(r);
    r->version = 5;
    chunk->tag = NYTP_VERSION;
    chunk->version.major = 5;
    chunk->version.minor = 0;
    c->at = newline + 1;
    return NYTP_DECODED;
}

static nytp_decode_result next_of_begin(struct nytp_tmon *t, nytp_chunk *chunk)
{
    switch (t->step++) {
    case 0:
        chunk->tag = NYTP_ATTRIBUTE;
        snprintf(t->text, sizeof t->text, "%.17g", t->hz);
        chunk->attribute.key = (nytp_str){"ticks_per_sec", strlen("ticks_per_sec"), false};
        chunk->attribute.value = nytp_str_of(t->text);
        return NYTP_DECODED;
    case 1:
        chunk->tag = NYTP_PID_START;
        chunk->pid_start.pid = NYTP_TMON_PID;
        chunk->pid_start.parent = 0;
        chunk->pid_start.time_s = 0;
        return NYTP_DECODED;
    default:
        t->stage = TMON_MARKS;
        chunk->tag = NYTP_NEW_FID;
        memset(&chunk->new_fid, 0, sizeof chunk->new_fid);
        chunk->new_fid.fid = NYTP_TMON_FID;
        chunk->new_fid.flags = NYTP_FID_IS_FAKE;
        chunk->new_fid.name = (nytp_str){"(unknown)", strlen("(unknown)"), false};
        return NYTP_DECODED;
    }
}

static void note_unclosed(struct nytp_tmon *t, nytp_str name)
{
    enum { SHOWN_BYTES = 60 };
    size_t used = strlen(t->unclosed_names);
    if (t->unclosed++ < NYTP_TMON_SHOWN)
        snprintf(t->unclosed_names + used, sizeof t->unclosed_names - used, "%s%.*s", used > 0 ? ", " : "",
                 (int)(name.length < SHOWN_BYTES ? name.length : SHOWN_BYTES), name.bytes);
}

static nytp_decode_result unwind(nytp_reader *r, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    if (t->calls.depth == t->unwind_to) {
        t->stage = t->no_more ? TMON_SUBS : TMON_MARKS;
        t->step = 0;
        return NYTP_SKIPPED;
    }
    note_unclosed(t, t->calls.subs[t->calls.frames[t->calls.depth - 1].sub].name);
    if (nytp_tmon_pop(&t->calls, nytp_tmon_now(t), chunk) < 0)
        return nytp_reader_out_of_memory(r);
    return NYTP_DECODED;
}

static nytp_decode_result next_sub(struct nytp_tmon *t, nytp_chunk *chunk)
{
    if (t->step == nytp_strings_count(t->calls.names)) {
        t->stage = TMON_ARCS;
        t->step = 0;
        return NYTP_SKIPPED;
    }
    const nytp_tmon_sub *sub = &t->calls.subs[t->step++];
    if (!sub->called)
        return NYTP_SKIPPED;
    chunk->tag = NYTP_SUB_INFO;
    memset(&chunk->sub_info, 0, sizeof chunk->sub_info);
    chunk->sub_info.fid = NYTP_TMON_FID;
    chunk->sub_info.name = sub->name;
    return NYTP_DECODED;
}

static nytp_decode_result next_arc(struct nytp_tmon *t, nytp_chunk *chunk)
{
    const nytp_str outside = nytp_str_of(NYTP_RUNTIME);
    if (t->step == nytp_strings_count(t->calls.pairs)) {
        t->stage = TMON_END;
        t->step = 0;
        return NYTP_SKIPPED;
    }
    const nytp_tmon_arc *arc = &t->calls.arcs[t->step++];
    chunk->tag = NYTP_SUB_CALLERS;
    chunk->sub_callers.fid = NYTP_TMON_FID;
    chunk->sub_callers.line = 0;
    chunk->sub_callers.caller = arc->caller != NYTP_TMON_NONE ? t->calls.subs[arc->caller].name : outside;
    chunk->sub_callers.count = arc->count < UINT32_MAX ? (uint32_t)arc->count : UINT32_MAX;
    chunk->sub_callers.incl_s = arc->incl_ticks / t->hz;
    chunk->sub_callers.excl_s = arc->excl_ticks / t->hz;
    chunk->sub_callers.reci_s = arc->reci_ticks / t->hz;
    chunk->sub_callers.max_depth = arc->max_depth;
    chunk->sub_callers.called = t->calls.subs[arc->callee].name;
    return NYTP_DECODED;
}

/* Ends reading: with NYTP_CUT and a message that names everything that is missing, if anything is. */
static void finish(nytp_reader *r)
{
    const struct nytp_tmon *t = r->tmon;
    char what[400];
    size_t used = 0;
    what[0] = '\0';
    if (t->cut)
        used += (size_t)snprintf(what, sizeof what, ", within a line");
    else if (isnan(t->run_ticks))
        used += (size_t)snprintf(what, sizeof what, ": the header has no $rrun_rtime, which comes last");
    if (t->unclosed > 0)
        used += (size_t)snprintf(what + used, sizeof what - used, "; no exit of %s", t->unclosed_names);
    if (t->unclosed > NYTP_TMON_SHOWN)
        snprintf(what + used, sizeof what - used, " and %llu more",
                 (unsigned long long)t->unclosed - NYTP_TMON_SHOWN);
    r->ended = NYTP_END;
    if (what[0] == '\0')
        return;
    r->error.offset = nytp_reader_offset_of(r, r->at);
    r->ended = nytp_fail(&r->error, NYTP_CUT, "%s: cut short at offset %llu%s", r->source->name,
                         (unsigned long long)r->error.offset, what);
}

static nytp_decode_result next_of_end(nytp_reader *r, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    if (!t->no_more || t->step++ > 0) { /* if the header was cut, no process has begun */
        finish(r);
        return NYTP_FAILED;
    }
    chunk->tag = NYTP_PID_END;
    chunk->pid_end.pid = NYTP_TMON_PID;
    chunk->pid_end.time_s = isnan(t->run_ticks) ? 0 : t->run_ticks / t->hz;
    return NYTP_DECODED;
}

/* Returns the line from r->at to end, without "\r" at its end. */
static nytp_str line_to(const nytp_reader *r, const unsigned char *end)
{
    while (end > r->at && end[-1] == '\r')
        end--;
    return (nytp_str){(const char *)r->at, (size_t)(end - r->at), false};
}

/* There are no more lines: at the end of the source, or because another profile follows. */
static void end_lines(struct nytp_tmon *t)
{
    if (t->stage == TMON_HEADER) {
        t->cut = true;
        t->stage = TMON_END;
    } else {
        nytp_tmon_end_marks(t);
    }
}

/* Decodes what is left at the end of the source: a line without a newline, or nothing. */
static nytp_decode_result decode_last_line(nytp_reader *r, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    nytp_str line = line_to(r, r->end);
    nytp_decode_result result = NYTP_SKIPPED;
    if (t->stage == TMON_MARKS && line.length > 0)
        result = nytp_tmon_decode_last(r, &line, chunk);
    end_lines(t);
    r->at = result == NYTP_FAILED ? r->at : r->end;
    return result;
}

static nytp_decode_result decode_line(nytp_reader *r, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    size_t have = (size_t)(r->end - r->at);
    const unsigned char *newline = memchr(r->at + r->searched_bytes, '\n', have - r->searched_bytes);
    r->searched_bytes = newline != NULL ? (size_t)(newline - r->at) : have;
    if (newline == NULL) {
        if (have > NYTP_STR_LONGEST)
            return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at, "expected a newline within 32 MiB");
        return NYTP_NEEDS_BYTES;
    }
    if (t->in_line == 0 && nytp_reader_sees_header(r) == NYTP_DECODED) {
        r->at_header = true;
        end_lines(t);
        return NYTP_SKIPPED;
    }
    nytp_str line = line_to(r, newline);
    nytp_decode_result result = t->stage == TMON_HEADER ? nytp_tmon_decode_header(r, &line, chunk)
                                                        : nytp_tmon_decode_mark(r, &line, chunk);
    bool again = t->in_line > 0 || (t->stage == TMON_UNWIND && !t->no_more);
    if (result != NYTP_FAILED && !again) {
        r->at = newline + 1;
        r->searched_bytes = 0;
    }
    return result;
}

static nytp_decode_result next_any(nytp_reader *r, nytp_chunk *chunk)
{
    struct nytp_tmon *t = r->tmon;
    switch (t->stage) {
    case TMON_BEGIN: return next_of_begin(t, chunk);
    case TMON_UNWIND: return unwind(r, chunk);
    case TMON_SUBS: return next_sub(t, chunk);
    case TMON_ARCS: return next_arc(t, chunk);
    case TMON_END: return next_of_end(r, chunk);
    default: break;
    }
    if (t->entry_due == NYTP_TMON_NONE)
        return decode_line(r, chunk);
    nytp_tmon_fill_entry(&t->calls, t->entry_due, chunk);
    t->entry_due = NYTP_TMON_NONE;
    return NYTP_DECODED;
}

int nytp_tmon_next(nytp_reader *r, nytp_chunk *chunk)
{
    while (r->ended == NYTP_OK) {
        chunk->offset = nytp_reader_offset_of(r, r->at);
        nytp_decode_result result = next_any(r, chunk);
        if (result == NYTP_NEEDS_BYTES && !nytp_reader_refill(r) && r->ended == NYTP_OK)
            result = decode_last_line(r, chunk);
        if (result == NYTP_DECODED && (nytp_tag_bit(chunk->tag) & r->wanted) != 0)
            return NYTP_OK;
    }
    return r->ended;
}

double nytp_reader_dprof_overhead(const nytp_reader *reader)
{
    return reader->tmon != NULL ? reader->tmon->profiler_ticks : 0;
}
