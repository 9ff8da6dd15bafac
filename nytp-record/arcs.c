#include "fold.h"

#include "model/records.h"

#include <glib.h>

/* The first four numbers are the key. */
typedef struct arc {
    uint32_t caller, callee, fid, line;
    bool caller_utf8, callee_utf8;
    uint32_t count, max_depth;
    double incl_ticks, excl_ticks, reci_ticks;
} arc;

/* The first two numbers are the key: a sub may be defined in several files, as string evals are. */
typedef struct place {
    uint32_t name, fid;
    bool utf8;
    uint32_t first_line, last_line;
    bool is_written;
} place;

struct record_arcs {
    const nytp_strings *strings;
    nytp_records arcs, places;
};

record_arcs *record_arcs_new(const nytp_strings *strings)
{
    record_arcs *a = g_new0(record_arcs, 1);
    a->strings = strings;
    nytp_records_init(&a->arcs, sizeof(arc), offsetof(arc, caller_utf8));
    nytp_records_init(&a->places, sizeof(place), offsetof(place, utf8));
    return a;
}

void record_arcs_free(record_arcs *a)
{
    if (a == NULL)
        return;
    nytp_records_clear(&a->arcs);
    nytp_records_clear(&a->places);
    g_free(a);
}

size_t record_arcs_count(const record_arcs *a)
{
    return (size_t)a->arcs.count + a->places.count;
}

void record_arcs_add(record_arcs *a, const record_ended_call *call)
{
    const arc like = {.caller = call->caller.name,
                      .callee = call->callee.name,
                      .fid = call->fid,
                      .line = call->line,
                      .caller_utf8 = call->caller.utf8,
                      .callee_utf8 = call->callee.utf8};
    arc *found = nytp_records_at(&a->arcs, nytp_records_number(&a->arcs, &like, NULL));
    found->count++;
    found->excl_ticks += call->excl_ticks;
    if (call->depth == 0)
        found->incl_ticks += call->incl_ticks;
    else
        found->reci_ticks += call->incl_ticks;
    found->max_depth = MAX(found->max_depth, call->depth);
}

void record_arcs_seen(record_arcs *a, sampler_label sub, uint32_t fid, uint32_t first_line, uint32_t line)
{
    const place like = {
        .name = sub.name, .fid = fid, .utf8 = sub.utf8, .first_line = first_line, .last_line = first_line};
    place *found = nytp_records_at(&a->places, nytp_records_number(&a->places, &like, NULL));
    if (first_line != 0)
        found->last_line = MAX(found->last_line, line);
}

static nytp_str text_of(const record_arcs *a, uint32_t name, bool utf8)
{
    nytp_str text = {.utf8 = utf8};
    text.bytes = nytp_strings_get(a->strings, name, &text.length);
    return text;
}

static void write_place(const record_arcs *a, nytp_writer *writer, const place *p)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_INFO};
    chunk.sub_info.fid = p->fid;
    chunk.sub_info.name = text_of(a, p->name, p->utf8);
    chunk.sub_info.first_line = p->first_line;
    chunk.sub_info.last_line = p->last_line;
    nytp_writer_chunk(writer, &chunk);
    if (p->first_line != 0)
        return;
    nytp_chunk mark = {.tag = NYTP_SUB_CALLERS}; /* an xsub or built-in */
    mark.sub_callers.called = chunk.sub_info.name;
    nytp_writer_chunk(writer, &mark);
}

static void write_arc(const record_arcs *a, nytp_writer *writer, const arc *c, double ticks_per_sec)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS};
    chunk.sub_callers.fid = c->fid;
    chunk.sub_callers.line = c->line;
    chunk.sub_callers.caller = text_of(a, c->caller, c->caller_utf8);
    chunk.sub_callers.called = text_of(a, c->callee, c->callee_utf8);
    chunk.sub_callers.count = c->count;
    chunk.sub_callers.incl_s = c->incl_ticks / ticks_per_sec;
    chunk.sub_callers.excl_s = c->excl_ticks / ticks_per_sec;
    chunk.sub_callers.reci_s = c->reci_ticks / ticks_per_sec;
    chunk.sub_callers.max_depth = c->max_depth;
    nytp_writer_chunk(writer, &chunk);
}

void record_arcs_write(record_arcs *a, nytp_writer *writer, double ticks_per_sec)
{
    NYTP_EACH_RECORD(place, p, &a->places) {
        if (!p->is_written)
            write_place(a, writer, p);
        p->is_written = true;
    }
    NYTP_EACH_RECORD(arc, c, &a->arcs) {
        if (c->count > 0)
            write_arc(a, writer, c, ticks_per_sec);
        c->count = c->max_depth = 0;
        c->incl_ticks = c->excl_ticks = c->reci_ticks = 0;
    }
}
