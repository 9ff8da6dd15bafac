/* --kinds: in a profile of memory, the bytes of a kind become those of a call of a sub that is named after
 * the kind, such as "[strings]". The call is made where the memory was allocated. */
#include "events/filter.h"

#include "base/str.h"
#include "events/known_subs.h"
#include "format/marks.h"
#include "format/memory.h"
#include "format/tags.h"
#include "model/grow.h"

#include <glib.h>

typedef struct kinds_filter {
    nytp_filter filter;
    GString *value; /* of the attribute before the next statement, or before the last one */
    bool has_value; /* the next statement has one */
    GString *name;  /* of the sub, for that statement and those that continue it */
    uint32_t depth; /* how many calls go on */
    GArray *moved;  /* double, by depth: ticks of the call that now belong to kinds */
} kinds_filter;

static double *moved_at(kinds_filter *f, uint32_t depth)
{
    if (depth >= f->moved->len)
        g_array_set_size(f->moved, depth + 1);
    return &g_array_index(f->moved, double, depth);
}

static void set_kind(kinds_filter *f, nytp_str kind)
{
    g_string_truncate(f->name, 0);
    g_string_append_c(f->name, '[');
    g_string_append_len(f->name, kind.bytes, (gssize)kind.length);
    g_string_append_c(f->name, ']');
}

static void on_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    enum { MOST_DEPTH = 1 << 20 };
    kinds_filter *f = (kinds_filter *)filter;
    if (nytp_mark_kind(chunk) == NYTP_MARK_MEMORY) {
        g_string_truncate(f->value, 0);
        g_string_append_len(f->value, chunk->attribute.value.bytes, (gssize)chunk->attribute.value.length);
        f->has_value = true;
        return;
    }
    if (chunk->tag == NYTP_SUB_ENTRY && f->depth < MOST_DEPTH)
        *moved_at(f, ++f->depth) = 0;
    if (chunk->tag == NYTP_PID_START)
        f->depth = 0;
    if (chunk->tag != NYTP_SUB_CALLERS || nytp_is_xsub_mark(chunk))
        nytp_filter_pass(filter, chunk);
}

static void on_statement(nytp_filter *filter, const nytp_statement *s, uint64_t times)
{
    kinds_filter *f = (kinds_filter *)filter;
    const nytp_str value = {f->value->str, f->value->len, false};
    const nytp_chunk entry = {.tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = s->fid, .line = s->line}};
    const nytp_chunk memory = {.tag = NYTP_ATTRIBUTE, .attribute = {{"memory", 6, false}, value}};
    if (s->executions > 0)
        set_kind(f, f->has_value ? nytp_memory_read(value).kind : nytp_memory_unknown.kind);
    const nytp_str name = {f->name->str, f->name->len, false};
    const nytp_return returned = {.depth = f->depth + 1,
                                  .incl_ticks = s->ticks,
                                  .excl_ticks = s->ticks,
                                  .name = name,
                                  .sub = nytp_known_sub_find(filter->subs, &name),
                                  .place = {s->fid, s->line}};
    nytp_filter_pass(filter, &entry);
    if (f->has_value)
        nytp_filter_pass(filter, &memory);
    nytp_filter_pass_statement(filter, s, times);
    nytp_filter_pass_return(filter, &returned);
    *moved_at(f, f->depth) += s->ticks;
    f->has_value = false;
}

static void on_return(nytp_filter *filter, const nytp_return *returned)
{
    kinds_filter *f = (kinds_filter *)filter;
    nytp_return left = *returned;
    if (returned->depth > 0 && returned->depth <= f->depth) {
        left.excl_ticks -= *moved_at(f, returned->depth);
        f->depth = returned->depth - 1;
    }
    nytp_filter_pass_return(filter, &left);
}

static void clear(nytp_filter *filter)
{
    kinds_filter *f = (kinds_filter *)filter;
    g_string_free(f->value, TRUE);
    g_string_free(f->name, TRUE);
    g_array_free(f->moved, TRUE);
}

static void end(nytp_filter *filter)
{
    kinds_filter *f = (kinds_filter *)filter;
    f->depth = 0;
    f->has_value = false;
}

nytp_filter *nytp_filter_kinds_new(const nytp_filter_options *options)
{
    static const nytp_filter_type type = {
        .statement = on_statement, .returned = on_return, .chunk = on_chunk, .end = end, .clear = clear};
    if (!options->kinds)
        return NULL;
    kinds_filter *f = g_new0(kinds_filter, 1);
    f->filter = (nytp_filter){.type = &type,
                              .tags = NYTP_BIT(SUB_ENTRY) | NYTP_BIT(ATTRIBUTE) | NYTP_BIT(PID_START) |
                                      NYTP_TIMES | NYTP_BIT(DISCOUNT)};
    f->value = g_string_new(NULL);
    f->name = g_string_new(NULL);
    f->moved = NYTP_ZEROED_ARRAY(double);
    return &f->filter;
}
