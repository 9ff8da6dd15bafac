#include "events/known_subs.h"

#include "base/labels.h"
#include "events/filter.h"
#include "model/eval_name.h"
#include "model/package.h"
#include "model/waits.h"

static bool is_span(nytp_str name)
{
    nytp_label label;
    return nytp_labels_split(NULL, name, &label);
}

static enum nytp_own_statements kind_by_name(nytp_str name)
{
    return nytp_sub_op(name).length > 0 ? NYTP_NO_STATEMENTS
           : nytp_is_eval_frame(name)   ? NYTP_IS_EVAL
           : is_span(name)              ? NYTP_HAS_THOSE_OF_CALLER
                                        : NYTP_STATEMENTS_UNKNOWN;
}

nytp_known_subs nytp_known_subs_new(void)
{
    return (nytp_known_subs){nytp_names_new(), g_ptr_array_new_with_free_func(g_free), g_ptr_array_new()};
}

void nytp_known_subs_clear(nytp_known_subs *subs)
{
    nytp_names_free(subs->names);
    g_ptr_array_free(subs->subs, TRUE);
    g_ptr_array_free(subs->by_number, TRUE);
}

void nytp_known_sub_begin(const nytp_known_subs *subs, uint32_t number)
{
    nytp_known_sub *sub = g_new0(nytp_known_sub, 1);
    sub->name = nytp_names_get(subs->names, number);
    sub->kind = kind_by_name(sub->name);
    sub->waits = nytp_waits_by_name(sub->name);
    sub->is_begin = nytp_begin_block_length(sub->name) > 0;
    g_ptr_array_add(subs->subs, sub);
}

/* A span is said to be an xsub, since the call of one begins it. */
static void set_kind(const nytp_known_subs *subs, const nytp_str *name, enum nytp_own_statements kind)
{
    nytp_known_sub *sub = nytp_known_sub_find(subs, name);
    if (sub->kind != NYTP_HAS_THOSE_OF_CALLER && sub->kind != NYTP_IS_EVAL)
        sub->kind = kind;
}

/* Code of a string eval may be in several files. */
static void set_lines(const nytp_known_subs *subs, const nytp_chunk *chunk)
{
    nytp_known_sub *sub = nytp_known_sub_find(subs, &chunk->sub_info.name);
    const nytp_range lines = {chunk->sub_info.fid, chunk->sub_info.first_line, chunk->sub_info.last_line};
    const bool is_first = sub->lines.last_line == 0;
    if (is_first || (lines.fid == sub->lines.fid && lines.first_line == sub->lines.first_line))
        sub->lines = lines;
    else
        sub->lines.fid = 0;
}

void nytp_known_subs_add(const nytp_known_subs *subs, const nytp_chunk *chunk)
{
    if (chunk->tag == NYTP_SUB_INFO)
        set_lines(subs, chunk);
    if (chunk->tag == NYTP_SUB_INFO)
        set_kind(subs, &chunk->sub_info.name,
                 chunk->sub_info.first_line > 0 ? NYTP_HAS_STATEMENTS : NYTP_NO_STATEMENTS);
    else if (chunk->tag == NYTP_SUB_CALLERS && nytp_is_xsub_mark(chunk))
        set_kind(subs, &chunk->sub_callers.called, NYTP_NO_STATEMENTS);
}

void nytp_known_subs_forget(const nytp_known_subs *subs)
{
    for (guint i = 0; i < subs->subs->len; i++) {
        nytp_known_sub *sub = g_ptr_array_index(subs->subs, i);
        sub->kind = kind_by_name(sub->name);
        sub->number = 0;
        sub->lines = (nytp_range){0, 0, 0};
    }
}

nytp_known_sub *nytp_known_sub_look_up(const nytp_known_subs *subs, const nytp_names *names, uint32_t number)
{
    const nytp_str name = nytp_names_get(names, number);
    if (number >= subs->by_number->len)
        g_ptr_array_set_size(subs->by_number, (gint)number + 1);
    return g_ptr_array_index(subs->by_number, number) = nytp_known_sub_find(subs, &name);
}
