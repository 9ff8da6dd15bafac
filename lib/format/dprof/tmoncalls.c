/* What the marks of a tmon.out say: subs, the stack of calls, and arcs. */
#include "format/dprof/tmonstate.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

/* Ids below this are indexes of an array, which grows with the largest of them. */
enum { NEAR_IDS = 1 << 16 };

int nytp_tmon_calls_init(nytp_tmon_calls *calls)
{
    calls->names = nytp_strings_new();
    calls->ids = nytp_strings_new();
    calls->pairs = nytp_strings_new();
    return calls->names != NULL && calls->ids != NULL && calls->pairs != NULL ? 0 : -1;
}

void nytp_tmon_calls_clear(nytp_tmon_calls *calls)
{
    nytp_strings_free(calls->names);
    nytp_strings_free(calls->ids);
    nytp_strings_free(calls->pairs);
    free(calls->subs);
    free(calls->near_ids);
    free(calls->far_ids);
    free(calls->arcs);
    free(calls->frames);
}

int64_t nytp_tmon_sub_of_name(nytp_tmon_calls *calls, const char *name, size_t length)
{
    uint32_t known = nytp_strings_count(calls->names);
    int64_t number = nytp_strings_intern(calls->names, name, length);
    if (number < known)
        return number;
    nytp_tmon_sub *subs = nytp_grow(calls->subs, &calls->sub_capacity, known + (size_t)1, sizeof *subs);
    if (subs == NULL)
        return -1;
    calls->subs = subs;
    nytp_str kept = {NULL, 0, false};
    kept.bytes = nytp_strings_get(calls->names, (uint32_t)number, &kept.length);
    subs[number] = (nytp_tmon_sub){.name = kept, .last_arc = NYTP_TMON_NONE};
    return number;
}

int64_t nytp_tmon_sub_of_parts(nytp_tmon_calls *calls, const nytp_str parts[2], const nytp_str *id_text)
{
    static const char anonymous[] = "__ANON__";
    size_t length = parts[0].length + 2 + parts[1].length;
    char *name = malloc(length + (id_text != NULL ? id_text->length + 2 : 0));
    if (name == NULL)
        return -1;
    memcpy(name, parts[0].bytes, parts[0].length);
    memcpy(name + parts[0].length, "::", 2);
    memcpy(name + parts[0].length + 2, parts[1].bytes, parts[1].length);
    if (id_text != NULL && length >= sizeof anonymous - 1 &&
        memcmp(name + length - (sizeof anonymous - 1), anonymous, sizeof anonymous - 1) == 0) {
        name[length] = '(';
        memcpy(name + length + 1, id_text->bytes, id_text->length);
        name[length + 1 + id_text->length] = ')';
        length += id_text->length + 2;
    }
    int64_t number = nytp_tmon_sub_of_name(calls, name, length);
    free(name);
    return number;
}

static int define_near(nytp_tmon_calls *calls, uint32_t id, uint32_t sub)
{
    size_t known = calls->near_capacity;
    uint32_t *ids = nytp_grow(calls->near_ids, &calls->near_capacity, id + (size_t)1, sizeof *ids);
    if (ids == NULL)
        return -1;
    for (; known < calls->near_capacity; known++)
        ids[known] = NYTP_TMON_NONE;
    calls->near_ids = ids;
    ids[id] = sub;
    return 0;
}

int nytp_tmon_define(nytp_tmon_calls *calls, uint32_t id, uint32_t sub)
{
    if (id < NEAR_IDS)
        return define_near(calls, id, sub);
    int64_t place = nytp_strings_intern(calls->ids, &id, sizeof id);
    if (place < 0)
        return -1;
    uint32_t *ids = nytp_grow(calls->far_ids, &calls->far_capacity, (size_t)place + 1, sizeof *ids);
    if (ids == NULL)
        return -1;
    calls->far_ids = ids;
    ids[place] = sub;
    return 0;
}

uint32_t nytp_tmon_sub_of_id(const nytp_tmon_calls *calls, uint32_t id)
{
    if (id < NEAR_IDS)
        return id < calls->near_capacity ? calls->near_ids[id] : NYTP_TMON_NONE;
    int64_t place = nytp_strings_find(calls->ids, &id, sizeof id);
    return place >= 0 ? calls->far_ids[place] : NYTP_TMON_NONE;
}

int nytp_tmon_push(nytp_tmon_calls *calls, uint64_t entered, uint64_t running, uint32_t sub, double now_ticks)
{
    nytp_tmon_frame *frames =
        nytp_grow(calls->frames, &calls->frame_capacity, calls->depth + 1, sizeof *frames);
    if (frames == NULL)
        return -1;
    calls->frames = frames;
    frames[calls->depth++] = (nytp_tmon_frame){.entered = entered,
                                               .running = running,
                                               .sub = sub,
                                               .recursion = calls->subs[sub].open++,
                                               .entered_ticks = now_ticks};
    calls->subs[sub].called = true;
    return 0;
}

static nytp_tmon_arc *arc_of(nytp_tmon_calls *calls, uint32_t caller, uint32_t callee)
{
    uint32_t last = calls->subs[callee].last_arc;
    if (last != NYTP_TMON_NONE && calls->arcs[last].caller == caller)
        return &calls->arcs[last];
    const uint32_t pair[] = {caller, callee};
    uint32_t known = nytp_strings_count(calls->pairs);
    int64_t number = nytp_strings_intern(calls->pairs, pair, sizeof pair);
    if (number < 0)
        return NULL;
    if (number == known) {
        nytp_tmon_arc *arcs = nytp_grow(calls->arcs, &calls->arc_capacity, known + (size_t)1, sizeof *arcs);
        if (arcs == NULL)
            return NULL;
        calls->arcs = arcs;
        arcs[number] = (nytp_tmon_arc){.caller = caller, .callee = callee};
    }
    calls->subs[callee].last_arc = (uint32_t)number;
    return &calls->arcs[number];
}

static int add_to_arc(nytp_tmon_calls *calls, const nytp_tmon_frame *frame, double incl_ticks,
                      double excl_ticks)
{
    uint32_t caller = calls->depth > 0 ? calls->frames[calls->depth - 1].sub : NYTP_TMON_NONE;
    nytp_tmon_arc *arc = arc_of(calls, caller, frame->sub);
    if (arc == NULL)
        return -1;
    arc->count++;
    arc->excl_ticks += excl_ticks;
    if (frame->recursion == 0)
        arc->incl_ticks += incl_ticks;
    else
        arc->reci_ticks += incl_ticks;
    if (arc->max_depth < frame->recursion)
        arc->max_depth = frame->recursion;
    return 0;
}

int nytp_tmon_pop(nytp_tmon_calls *calls, double now_ticks, nytp_chunk *chunk)
{
    const nytp_tmon_frame *frame = &calls->frames[--calls->depth];
    double incl_ticks = now_ticks - frame->entered_ticks;
    double excl_ticks = incl_ticks - frame->children_ticks;
    calls->subs[frame->sub].open--;
    if (calls->depth > 0)
        calls->frames[calls->depth - 1].children_ticks += incl_ticks;
    chunk->tag = NYTP_SUB_RETURN;
    chunk->sub_return.depth = calls->depth < UINT32_MAX ? (uint32_t)calls->depth + 1 : UINT32_MAX;
    chunk->sub_return.incl_ticks = incl_ticks;
    chunk->sub_return.excl_ticks = excl_ticks;
    chunk->sub_return.name = calls->subs[frame->sub].name;
    return calls->want_arcs ? add_to_arc(calls, frame, incl_ticks, excl_ticks) : 0;
}
