#include "events/traces.h"

#include "base/labels.h"
#include "model/grow.h"

#include <string.h>

typedef struct open_span {
    uint32_t depth;
    uint32_t coroutine; /* its number, while another one runs */
    nytp_trace ids;
} open_span;

nytp_traces nytp_traces_new(void)
{
    return (nytp_traces){
        .open = NYTP_ARRAY(open_span), .others = NYTP_ARRAY(open_span), .name = g_string_new(NULL)};
}

void nytp_traces_clear(nytp_traces *traces)
{
    g_array_free(traces->open, TRUE);
    g_array_free(traces->others, TRUE);
    g_string_free(traces->name, TRUE);
}

static const open_span *innermost(const nytp_traces *t)
{
    return t->open->len > 0 ? &g_array_index(t->open, open_span, t->open->len - 1) : NULL;
}

/* Forgets the spans that are as deep, or deeper. */
static void forget_from(nytp_traces *t, uint32_t depth)
{
    const open_span *s;
    while ((s = innermost(t)) != NULL && s->depth >= depth)
        g_array_set_size(t->open, t->open->len - 1);
    t->deepest = s != NULL ? s->depth : 0;
}

void nytp_traces_forget(nytp_traces *traces)
{
    forget_from(traces, 0);
    g_array_set_size(traces->others, 0);
    traces->coroutine = 0;
}

/* Moves the spans of a coroutine from one array to the end of the other. */
static void move_spans(GArray *from, GArray *to, uint32_t coroutine)
{
    enum { MOST_SPANS = 1 << 20 }; /* only damaged profiles have more */
    guint kept = 0;
    NYTP_EACH(const open_span, span, from) {
        const open_span s = *span;
        if (s.coroutine == coroutine && to->len < MOST_SPANS)
            g_array_append_val(to, s);
        else if (s.coroutine != coroutine)
            g_array_index(from, open_span, kept++) = s;
    }
    g_array_set_size(from, kept);
}

void nytp_traces_switch(nytp_traces *traces, uint32_t coroutine)
{
    NYTP_EACH(open_span, span, traces->open)
        span->coroutine = traces->coroutine != 0 ? traces->coroutine : coroutine;
    move_spans(traces->open, traces->others, traces->coroutine);
    move_spans(traces->others, traces->open, coroutine);
    traces->coroutine = coroutine;
    traces->deepest = innermost(traces) != NULL ? innermost(traces)->depth : 0;
}

/* Copies an id, which follows a blank and has that number of hexadecimal digits. Returns the end of the id,
 * or NULL if there is no such id. */
static const char *copy_id(const char *at, const char *end, char *id, size_t digits)
{
    if (at == NULL || (size_t)(end - at) < digits + 1 || *at++ != ' ')
        return NULL;
    for (size_t i = 0; i < digits; i++)
        if (!g_ascii_isxdigit(at[i]))
            return NULL;
    memcpy(id, at, digits);
    id[digits] = '\0';
    return at + digits;
}

void nytp_traces_note(nytp_traces *traces, const nytp_mark *mark)
{
    const char *const end = mark->words.bytes + mark->words.length;
    open_span s = {.depth = (uint32_t)mark->trace_context.depth};
    if (s.depth == 0)
        return;
    forget_from(traces, s.depth);
    const char *at = copy_id(mark->words.bytes, end, s.ids.trace, NYTP_TRACE_DIGITS);
    if (copy_id(at, end, s.ids.span, NYTP_SPAN_DIGITS) == end) {
        g_array_append_val(traces->open, s);
        traces->deepest = s.depth;
    }
}

/* Returns the open span at that depth, or NULL. */
static const open_span *span_at(const nytp_traces *t, uint32_t depth)
{
    for (guint i = t->open->len; i > 0; i--) {
        const open_span *s = &g_array_index(t->open, open_span, i - 1);
        if (s->depth <= depth)
            return s->depth == depth ? s : NULL;
    }
    return NULL;
}

/* A call that returns as a part may go on, with those within it. */
const nytp_trace *nytp_traces_leave(nytp_traces *traces, const nytp_return *returned)
{
    nytp_label label;
    if (!returned->is_part)
        forget_from(traces, returned->depth + 1);
    const open_span *span = span_at(traces, returned->depth);
    const bool has_ids = span != NULL;
    if (has_ids)
        traces->left = span->ids;
    if (has_ids && !returned->is_part)
        forget_from(traces, returned->depth);
    const bool is_span = has_ids && nytp_labels_split(NULL, returned->name, &label);
    return is_span ? &traces->left : NULL;
}

enum { MOST_NAMED = 20000, ENDING = 1 + NYTP_TRACE_DIGITS + 1 + NYTP_SPAN_DIGITS };

/* No label has a newline. */
uint32_t nytp_traces_sub(nytp_traces *traces, nytp_names *names, uint32_t sub)
{
    bool is_new = false;
    if (!traces->names_subs || traces->named >= MOST_NAMED)
        return sub;
    const nytp_str plain = nytp_names_get(names, sub);
    g_string_truncate(traces->name, 0);
    g_string_append_len(traces->name, plain.bytes, (gssize)plain.length);
    g_string_append_printf(traces->name, "\n%s %s", traces->left.trace, traces->left.span);
    const uint32_t named =
        nytp_names_intern(names, &(nytp_str){traces->name->str, traces->name->len, plain.utf8}, &is_new);
    traces->named += is_new;
    return named;
}

bool nytp_trace_of_name(nytp_str *name, nytp_str *trace, nytp_str *span)
{
    if (name->length <= ENDING || name->bytes[name->length - ENDING] != '\n')
        return false;
    name->length -= ENDING;
    *trace = (nytp_str){name->bytes + name->length + 1, NYTP_TRACE_DIGITS, true};
    *span = (nytp_str){trace->bytes + NYTP_TRACE_DIGITS + 1, NYTP_SPAN_DIGITS, true};
    return true;
}
