/* Finds where calls were made, for those that are summed up (calls/derive_arcs.h).
 *
 * With calls=2 SUB_ENTRY says it. Otherwise statements do: the one that makes a call goes on after it, so
 *
 *     SUB_RETURN of a built-in or xsub, TIME of its caller's statement
 *     SUB_RETURN of perl code, TIME of its own last statement, DISCOUNT, TIME of its caller's statement
 *
 * What follows a return is held back until the line of its call is known. These calls have none:
 *
 * - calls that were left by die, exit, goto, or a last or next of a loop around them: no DISCOUNT follows;
 * - calls of perl code without statements in the profile, which was compiled before it began, if they are the
 *   last thing that their caller does;
 * - parts of calls, and built-ins and xsubs that return after one of these within the same statement;
 * - calls that were not followed by statements: those before the end of a process or before a mark of another
 *   coroutine, and all of profiles that have no statements (stmts=0) or no DISCOUNTs (leave=0).
 *
 * Stock's profiles and merged ones say at their end what a sub is, so both lines are found until then.
 */
#include "events/filter.h"

#include "base/str.h"
#include "events/known_subs.h"
#include "events/levels.h"
#include "format/marks.h"
#include "format/tags.h"
#include "model/annotations.h"
#include "model/grow.h"

#include <glib.h>
#include <string.h>

/* How many events are held back at most: a statement may call any number of built-ins. */
enum { MOST_HELD = 1 << 15 };

/* Which statement says where a call was made. */
enum said_by { NONE, NEXT, NEXT_DISCOUNTED, AFTER_OWN };

typedef struct held {
    enum { RETURN, STATEMENT, NOTE } kind;
    enum said_by said_by, said_by_of_xsub;
    union {
        nytp_return returned;
        struct {
            nytp_statement statement;
            uint64_t times;
        };
        nytp_chunk note;
    };
} held;

typedef struct call_places {
    nytp_filter filter;
    held *held; /* a call whose own last statement comes next is the last of the calls */
    size_t count, capacity;
    size_t notes;        /* how many of them are */
    GStringChunk *texts; /* of held notes */
    bool has_leave;      /* the profile has DISCOUNTs: it was not recorded with leave=0 */
    bool has_statements; /* it was not recorded with stmts=0 */
    bool is_lost;        /* the next statement may be one of a call that has returned */
    nytp_open_places open;
} call_places;

/* Statements have nothing to say if no call waits for one. */
static void note_idle(call_places *f)
{
    f->filter.is_idle = f->count == 0 && !f->is_lost;
}

/* Passes the first ones. */
static void pass(call_places *f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const held *h = &f->held[i];
        switch (h->kind) {
        case RETURN: nytp_filter_pass_return(&f->filter, &h->returned); break;
        case STATEMENT: nytp_filter_pass_statement(&f->filter, &h->statement, h->times); break;
        case NOTE: nytp_filter_pass(&f->filter, &h->note); break;
        }
        f->notes -= h->kind == NOTE;
    }
    f->count -= count;
    if (f->count > 0 && count > 0)
        memmove(f->held, f->held + count, f->count * sizeof *f->held);
}

/* The last call that has returned did so without its own last statement. */
static void lose_last(call_places *f)
{
    size_t n = f->count;
    while (n > 0 && f->held[n - 1].kind == NOTE)
        n--;
    held *last = n > 0 ? &f->held[n - 1] : NULL;
    if (last == NULL || last->said_by != AFTER_OWN)
        return;
    last->said_by = NONE;
    f->is_lost |= last->said_by_of_xsub == NONE;
}

static void pass_all(call_places *f)
{
    lose_last(f);
    pass(f, f->count);
}

/* Returns what is held next, which the caller sets. */
static held *hold(call_places *f)
{
    if (f->count == MOST_HELD) {
        pass_all(f);
        f->is_lost = true;
    }
    f->held = nytp_grown(f->held, &f->capacity, f->count + 1, sizeof *f->held);
    return &f->held[f->count++];
}

static void find_place(const call_places *f, held *h)
{
    const enum nytp_own_statements kind = h->returned.sub->kind;
    const enum said_by of_xsub = f->is_lost ? NONE : NEXT;
    if (!f->has_leave || !f->has_statements)
        return;
    /* A span is begun by an xsub. */
    h->said_by = kind == NYTP_NO_STATEMENTS || kind == NYTP_HAS_THOSE_OF_CALLER ? of_xsub : AFTER_OWN;
    h->said_by_of_xsub = kind == NYTP_STATEMENTS_UNKNOWN ? of_xsub : NONE;
}

static void on_return(nytp_filter *filter, const nytp_return *returned)
{
    call_places *f = (call_places *)filter;
    const nytp_place place = nytp_open_places_leave(&f->open, returned->depth);
    lose_last(f);
    if (place.fid != 0)
        pass_all(f);
    held *h = hold(f);
    h->kind = RETURN;
    h->said_by = h->said_by_of_xsub = NONE;
    h->returned = *returned;
    h->returned.name = returned->sub->name;
    h->returned.place = place;
    if (place.fid == 0 && returned->is_part)
        f->is_lost = true;
    else if (place.fid == 0)
        find_place(f, h);
    if (f->count == 1 && h->said_by == NONE)
        pass(f, 1);
    note_idle(f);
}

/* Sets the places of the calls that the statement says. Returns how many of those that are held it or earlier
 * ones say. */
static size_t place_calls(const call_places *f, const nytp_statement *s)
{
    const nytp_place place = {s->fid, s->line};
    size_t said = f->count;
    for (size_t i = 0; i < f->count; i++) {
        held *h = &f->held[i];
        if (h->kind != RETURN)
            continue;
        if (h->said_by == NEXT || (h->said_by == NEXT_DISCOUNTED && s->executions == 0))
            h->returned.place = place;
        if (h->said_by_of_xsub == NEXT)
            h->returned.as_xsub = place;
        if (h->said_by == AFTER_OWN)
            said = i;
        h->said_by = h->said_by == AFTER_OWN ? NEXT_DISCOUNTED : NONE;
        h->said_by_of_xsub = NONE;
    }
    return said;
}

static void on_statement(nytp_filter *filter, const nytp_statement *statement, uint64_t times)
{
    call_places *f = (call_places *)filter;
    f->is_lost = false;
    if (f->count > 0)
        pass(f, place_calls(f, statement));
    if (f->count == 0)
        nytp_filter_pass_statement(filter, statement, times);
    else if (!nytp_filter_passes_unseen(filter))
        *hold(f) = (held){.kind = STATEMENT, .statement = *statement, .times = times};
    note_idle(f);
}

/* No call goes on. */
static void end_stack(call_places *f)
{
    pass_all(f);
    f->open.depth = 0;
    f->is_lost = false;
}

static nytp_str kept(const call_places *f, nytp_str text)
{
    text.bytes = g_string_chunk_insert_len(f->texts, text.bytes, (gssize)text.length);
    return text;
}

static void hold_note(call_places *f, const nytp_chunk *chunk)
{
    if (f->notes == 0)
        g_string_chunk_clear(f->texts);
    held *h = hold(f);
    *h = (held){.kind = NOTE, .note = *chunk};
    h->note.attribute.key = kept(f, chunk->attribute.key);
    h->note.attribute.value = kept(f, chunk->attribute.value);
    f->notes++;
}

/* Returns whether it was held. */
static bool take_attribute(call_places *f, const nytp_chunk *chunk)
{
    const bool is_held = f->count > 0 && nytp_mark_is_of_moment(nytp_mark_kind(chunk));
    if (is_held)
        hold_note(f, chunk);
    else
        pass_all(f);
    return is_held;
}

static void on_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    call_places *f = (call_places *)filter;
    const nytp_place entry = {chunk->sub_entry.fid, chunk->sub_entry.line};
    bool is_held = false;
    switch (chunk->tag) {
    case NYTP_SUB_ENTRY:
        pass_all(f);
        nytp_open_places_enter(&f->open, entry);
        break;
    case NYTP_OPTION:
        if (nytp_str_is(chunk->attribute.key, "leave"))
            f->has_leave = !nytp_str_is(chunk->attribute.value, "0");
        if (nytp_str_is(chunk->attribute.key, "stmts"))
            f->has_statements = !nytp_str_is(chunk->attribute.value, "0");
        break;
    case NYTP_PID_START: end_stack(f); break;
    case NYTP_PID_END: pass_all(f); break;
    case NYTP_COMMENT:
        if (nytp_annotation_kind(chunk->comment.text) != NYTP_NO_ANNOTATION)
            pass_all(f);
        break;
    case NYTP_ATTRIBUTE: is_held = take_attribute(f, chunk); break;
    default: break;
    }
    note_idle(f);
    if (!is_held)
        nytp_filter_pass(filter, chunk);
}

static void end(nytp_filter *filter)
{
    call_places *f = (call_places *)filter;
    end_stack(f);
    note_idle(f);
    f->has_leave = f->has_statements = true;
}

static void clear(nytp_filter *filter)
{
    call_places *f = (call_places *)filter;
    g_free(f->held);
    g_string_chunk_free(f->texts);
    nytp_open_places_free(&f->open);
}

nytp_filter *nytp_filter_call_places_new(const nytp_filter_options *options)
{
    static const nytp_filter_type type = {.statement = on_statement,
                                          .returned = on_return,
                                          .chunk = on_chunk,
                                          .end = end,
                                          .clear = clear,
                                          .may_be_idle = true};
    if (options->sums == NULL)
        return NULL;
    call_places *f = g_new0(call_places, 1);
    f->filter =
        (nytp_filter){.type = &type,
                      .tags = NYTP_EVENTS | NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS) | NYTP_BIT(PID_START) |
                              NYTP_BIT(PID_END) | NYTP_BIT(ATTRIBUTE) | NYTP_BIT(OPTION)};
    f->has_leave = f->has_statements = true;
    f->texts = g_string_chunk_new(64);
    f->open = nytp_open_places_new();
    return &f->filter;
}
