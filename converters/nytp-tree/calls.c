#include "calls.h"

#include "base/str.h"
#include "calls/calltree.h"
#include "model/sampled.h"

#include <string.h>

static const uint32_t NOT_FOUND = UINT32_MAX - 1; /* no sub has this number */

static bool in_order(const tree_options *o)
{
    return o->form == TREE_CALLS || o->form == TREE_FOLDED;
}

tree_calls *tree_calls_new(const tree_options *options, char **why)
{
    tree_naming *n = tree_naming_new(options, why);
    if (n == NULL)
        return NULL;
    tree_calls *c = g_new0(tree_calls, 1);
    c->options = options;
    c->naming = n;
    c->tree = nytp_calltree_new(tree_naming_rename, n);
    if (options->show_root)
        nytp_calltree_show_root(c->tree);
    if (options->min_percent > 0)
        nytp_calltree_read_whole(c->tree);
    if (options->no_wait)
        nytp_calltree_leave_out_waits(c->tree);
    c->order = in_order(options) ? nytp_callorder_new() : NULL;
    tree_subtimes_init(&c->times);
    c->labels = options->labels != NYTP_LABEL_NONE ? nytp_labels_new() : NULL;
    if (options->root != NULL)
        c->times.root = NOT_FOUND; /* until its name is read */
    return c;
}

void tree_calls_free(tree_calls *c)
{
    if (c == NULL)
        return;
    tree_subtimes_clear(&c->times);
    nytp_callorder_free(c->order);
    nytp_calltree_free(c->tree);
    tree_naming_free(c->naming);
    nytp_labels_free(c->labels);
    nytp_names_free(c->label_names);
    g_free(c);
}

uint64_t tree_calls_count(const tree_calls *c)
{
    return c->count;
}

bool tree_calls_is_dprof(const tree_calls *c)
{
    return c->is_dprof && c->has_process;
}

uint32_t tree_calls_tags(const tree_calls *c)
{
    return nytp_calltree_tags(c->tree) | nytp_tag_bit(NYTP_PID_END) | nytp_tag_bit(NYTP_SUB_ENTRY);
}

/* Whether the times of a tmon.out are added up for each sub as they are read. Without waiting, only the tree
 * knows the inclusive ones, and labels are found in the tree. */
static bool times_subs(const tree_options *o)
{
    return o->form == TREE_TABLE && !o->no_wait && o->labels == NYTP_LABEL_NONE;
}

/* Whether SUB_ENTRY chunks are needed. They give the order of first calls of subs, and which calls are
 * outermost. In a nytprof.out they do not name the sub, so they are used only for a tmon.out. */
static bool wants_entries(const tree_options *o)
{
    return times_subs(o) || (o->sort == TREE_SORT_FOUND && o->form != TREE_TABLE);
}

static void add_attribute(tree_calls *c, nytp_str key, nytp_str value)
{
    static const char *const names[TREE_HEADER_NUMBERS] = {
        "dprof_rrun_utime", "dprof_rrun_stime", "dprof_rrun_rtime", "dprof_over_utime",
        "dprof_over_stime", "dprof_over_rtime", "dprof_over_tests"};
    if (nytp_str_is(key, "sampled_hz")) {
        c->sampled_hz = nytp_sampled_hz(&value);
        nytp_calltree_set_sampled(c->tree, c->sampled_hz > 0);
    }
    if (c->labels != NULL && nytp_str_is(key, "labels") && !nytp_labels_add(c->labels, value))
        g_error("out of memory for labels");
    if (key.length < 6 || memcmp(key.bytes, "dprof_", 6) != 0)
        return;
    c->is_dprof = true;
    int i = 0;
    while (i < TREE_HEADER_NUMBERS && !nytp_str_is(key, names[i]))
        i++;
    if (i <= TREE_RUN_REAL)
        c->run_ticks[i] = nytp_str_number(value);
    else if (i < TREE_HEADER_NUMBERS)
        c->header[i] = nytp_str_number(value);
    c->has_run |= i == TREE_RUN_REAL;
}

static void end_stacks(tree_calls *c)
{
    nytp_calltree_end_stack(c->tree);
    tree_subtimes_end_stack(&c->times);
    if (c->order != NULL)
        nytp_callorder_add(c->order, (nytp_ordered_call){.sub = NYTP_CALLS_END});
}

/* Whether calls go only to the tree, which then reads them in place. */
static bool reads_runs(const tree_calls *c)
{
    return !c->is_dprof && c->order == NULL;
}

static void begin_process(tree_calls *c, nytp_reader *reader, double time_s)
{
    double ticks_per_s = nytp_reader_ticks_per_sec(reader);
    if (c->ticks_per_s == 0)
        c->ticks_per_s = ticks_per_s;
    double scale = c->ticks_per_s / ticks_per_s;
    c->scale = scale;
    nytp_calltree_set_scale(c->tree, scale);
    for (int i = TREE_RUN_USER; i <= TREE_RUN_REAL; i++) {
        c->header[i] += c->run_ticks[i] * scale;
        c->run_ticks[i] = 0;
    }
    c->started_s = time_s;
    end_stacks(c);
    nytp_calltree_begin_process(c->tree);
    c->has_process = true;
    c->some_dprof |= c->is_dprof;
    c->some_other |= !c->is_dprof;
    memset(c->known, 0, sizeof c->known);
    if (!c->is_dprof || !wants_entries(c->options))
        nytp_reader_set_tags(reader, tree_calls_tags(c) & ~nytp_tag_bit(NYTP_SUB_ENTRY));
    if (c->tree->is_sampled && reads_runs(c))
        nytp_want_samples(reader);
}

/* Returns the number of the shown name for a name of a tmon.out. */
static uint32_t find_known(tree_calls *c, const nytp_str *name)
{
    tree_known_name *known = &c->known[((uintptr_t)name->bytes >> 3) % TREE_KNOWN_NAMES];
    if (known->bytes != name->bytes) {
        *known = (tree_known_name){name->bytes, nytp_calltree_sub(c->tree, name)};
        if (c->options->root != NULL &&
            nytp_str_is(nytp_names_get(nytp_calltree_names(c->tree), known->sub), c->options->root))
            c->times.root = known->sub;
    }
    return known->sub;
}

static size_t read_run(tree_calls *c, nytp_reader *reader)
{
    size_t count = reads_runs(c) ? nytp_calltree_read_returns(c->tree, reader) : 0;
    c->count += count;
    return count;
}

static void add_return(tree_calls *c, const nytp_chunk *chunk)
{
    const nytp_str *name = &chunk->sub_return.name;
    c->count++;
    if (reads_runs(c)) {
        nytp_calltree_add(c->tree, chunk);
        return;
    }
    uint32_t sub = c->is_dprof ? find_known(c, name) : nytp_calltree_sub(c->tree, name);
    if (c->order != NULL)
        nytp_callorder_add(c->order, (nytp_ordered_call){.sub = sub, .depth = chunk->sub_return.depth});
    else if (times_subs(c->options))
        tree_subtimes_leave(&c->times, sub, chunk->sub_return.incl_ticks * c->scale,
                            chunk->sub_return.excl_ticks * c->scale);
    else
        nytp_calltree_add_return(c->tree, sub, chunk->sub_return.depth, chunk->sub_return.excl_ticks,
                                 nytp_calltree_leaves_out(c->tree, *name));
}

static void add_entry(tree_calls *c, const nytp_chunk *chunk)
{
    if (c->is_dprof)
        tree_subtimes_enter(&c->times, find_known(c, &chunk->sub_entry.name));
    else
        nytp_calltree_add(c->tree, chunk);
}

static void on_chunk(tree_calls *c, nytp_reader *reader, const nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_SUB_RETURN: add_return(c, chunk); break;
    case NYTP_SUB_ENTRY: add_entry(c, chunk); break;
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: nytp_calltree_add(c->tree, chunk); break;
    case NYTP_ATTRIBUTE: add_attribute(c, chunk->attribute.key, chunk->attribute.value); break;
    case NYTP_PID_START: begin_process(c, reader, chunk->pid_start.time_s); break;
    case NYTP_PID_END:
        c->elapsed_s += chunk->pid_end.time_s - c->started_s;
        c->overhead_ticks +=
            nytp_reader_dprof_overhead(reader) * c->ticks_per_s / nytp_reader_ticks_per_sec(reader);
        break;
    default: break;
    }
}

int tree_calls_read(void *context, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    tree_calls *c = context;
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; rc == NYTP_OK && n < SOME; n++) {
        n += nytp_calltree_read_statements(c->tree, reader);
        n += read_run(c, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            on_chunk(c, reader, &chunk);
    }
    return rc;
}

void tree_calls_end_profile(tree_calls *c)
{
    end_stacks(c);
    c->is_dprof = c->has_process = false;
    nytp_calltree_set_sampled(c->tree, false);
}
