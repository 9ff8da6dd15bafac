/* --process=PID: leaves out processes with other numbers. */
#include "events/filter.h"

#include "format/marks.h"
#include "format/memory.h"
#include "format/tags.h"

#include <glib.h>

typedef struct process_filter {
    nytp_filter filter;
    uint32_t pid;
    bool is_in;      /* what comes belongs to a process with that number */
    bool has_ended;  /* and it has ended: what a merged profile has at its end is of all processes */
    bool found;      /* there was one */
    GString *others; /* the first ones that were left out: "8, 9" */
    guint other_count;
} process_filter;

static bool begins(process_filter *f, uint32_t pid)
{
    enum { MOST = 8 };
    f->is_in = pid == f->pid;
    f->has_ended = false;
    f->found |= f->is_in;
    if (!f->is_in && f->other_count++ < MOST)
        g_string_append_printf(f->others, "%s%u", f->other_count > 1 ? ", " : "", pid);
    else if (!f->is_in && f->other_count == MOST + 1)
        g_string_append(f->others, ", ...");
    return f->is_in;
}

static bool is_left_attribute(const process_filter *f, const nytp_chunk *chunk)
{
    if (nytp_memory_is_sum(chunk->attribute.key))
        return f->is_in && !f->has_ended;
    return f->is_in || nytp_mark_kind(chunk) == NYTP_NO_MARK;
}

static bool ends(process_filter *f, uint32_t pid)
{
    f->has_ended |= pid == f->pid;
    return pid == f->pid;
}

static bool is_left(process_filter *f, const nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_PID_START: return begins(f, chunk->pid_start.pid);
    case NYTP_PID_END: return ends(f, chunk->pid_end.pid);
    case NYTP_SUB_CALLERS: return nytp_is_xsub_mark(chunk);
    case NYTP_ATTRIBUTE: return is_left_attribute(f, chunk);
    default: return f->is_in || (nytp_tag_bits[chunk->tag & 0xFF] & NYTP_EVENTS) == 0;
    }
}

static void on_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    if (is_left((process_filter *)filter, chunk))
        nytp_filter_pass(filter, chunk);
}

static void on_statement(nytp_filter *filter, const nytp_statement *statement, uint64_t times)
{
    if (((const process_filter *)filter)->is_in)
        nytp_filter_pass_statement(filter, statement, times);
}

static void on_return(nytp_filter *filter, const nytp_return *returned)
{
    if (((const process_filter *)filter)->is_in)
        nytp_filter_pass_return(filter, returned);
}

static void end(nytp_filter *filter)
{
    ((process_filter *)filter)->is_in = false;
}

static void clear(nytp_filter *filter)
{
    g_string_free(((process_filter *)filter)->others, TRUE);
}

static char *missing(const nytp_filter *filter)
{
    const process_filter *f = (const process_filter *)filter;
    return f->found ? NULL
                    : g_strdup_printf("no process %u%s%s", f->pid, f->others->len > 0 ? ", but " : "",
                                      f->others->str);
}

nytp_filter *nytp_filter_process_new(const nytp_filter_options *options)
{
    static const nytp_filter_type type = {.statement = on_statement,
                                          .returned = on_return,
                                          .chunk = on_chunk,
                                          .end = end,
                                          .clear = clear,
                                          .missing = missing};
    if (options->process == 0)
        return NULL;
    process_filter *f = g_new0(process_filter, 1);
    f->filter = (nytp_filter){.type = &type, .tags = NYTP_BIT(PID_START)};
    f->pid = options->process;
    f->others = g_string_new(NULL);
    return &f->filter;
}
