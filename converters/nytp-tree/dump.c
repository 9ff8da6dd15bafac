#include "dump.h"

#include "base/str.h"
#include "model/callorder.h"
#include "model/calltree.h"
#include "model/names.h"
#include "model/stacktree.h"
#include "model/unnamed_file.h"
#include "calls.h"
#include "naming.h"
#include "order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the header of a tmon.out tells. */
enum { RUN_USER, RUN_SYSTEM, RUN_REAL, OVER_USER, OVER_SYSTEM, OVER_REAL, OVER_TESTS, HEADER_NUMBERS };

/* A cache: the reader of a tmon.out keeps its names where they are (tmon.h), so the address tells which it
 * is. */
enum { KNOWN_NAMES = 1 << 10 };
#define NOT_FOUND (UINT32_MAX - 1)
typedef struct known_name {
    const char *bytes;
    uint32_t sub;
} known_name;

struct dump {
    const dump_options *options;
    naming *naming;
    nytp_calltree *tree;   /* its names also are those of order's subs */
    nytp_callorder *order; /* NULL: not asked for */
    subtimes times;        /* of a tmon.out as it is read, of others when all was */
    known_name known[KNOWN_NAMES];
    uint64_t calls;
    bool is_dprof;                 /* the profile that is being read */
    bool some_dprof, some_other;   /* among those that were read */
    double scale;                  /* ticks of the first profile in one of this */
    double ticks_per_s;            /* of the first profile; 0: none yet */
    double header[HEADER_NUMBERS]; /* of a tmon.out; of several, times are added up */
    double run_ticks[3];           /* user, system and real time of the one that is being read */
    bool has_run;                  /* the profiler got to writing it */
    double overhead_ticks;
    double started_s, elapsed_s;
};

static bool in_order(const dump_options *o)
{
    return o->form == DUMP_CALLS || o->form == DUMP_FOLDED;
}

dump *dump_new(const dump_options *options, char **why)
{
    naming *n = naming_new(options, why);
    if (n == NULL)
        return NULL;
    dump *d = g_new0(dump, 1);
    d->options = options;
    d->naming = n;
    d->tree = nytp_calltree_new(naming_rename, n);
    d->order = in_order(options) ? nytp_callorder_new() : NULL;
    subtimes_init(&d->times);
    if (options->root != NULL)
        d->times.root = NOT_FOUND; /* until its name comes */
    return d;
}

void dump_free(dump *d)
{
    if (d == NULL)
        return;
    subtimes_clear(&d->times);
    nytp_callorder_free(d->order);
    nytp_calltree_free(d->tree);
    naming_free(d->naming);
    g_free(d);
}

uint64_t dump_calls(const dump *d)
{
    return d->calls;
}

bool dump_is_dprof(const dump *d)
{
    return d->is_dprof;
}

/* ---- taking ---- */

uint32_t dump_wanted(void)
{
    return nytp_tag_bit(NYTP_ATTRIBUTE) | nytp_tag_bit(NYTP_PID_START) | nytp_tag_bit(NYTP_PID_END) |
           nytp_tag_bit(NYTP_SUB_ENTRY) | nytp_tag_bit(NYTP_SUB_RETURN);
}

/* SUB_ENTRYs tell the order in which subs are found, and which calls are outermost. (Of use in a tmon.out
 * only: those of a nytprof.out do not tell the sub.) */
static bool wants_entries(const dump_options *o)
{
    return o->form == DUMP_TABLE || o->sort == SORT_FOUND;
}

static void take_attribute(dump *d, nytp_str key, nytp_str value)
{
    static const char *const names[HEADER_NUMBERS] = {
        "dprof_rrun_utime", "dprof_rrun_stime", "dprof_rrun_rtime", "dprof_over_utime",
        "dprof_over_stime", "dprof_over_rtime", "dprof_over_tests"};
    if (key.length < 6 || memcmp(key.bytes, "dprof_", 6) != 0)
        return;
    d->is_dprof = true;
    int i = 0;
    while (i < HEADER_NUMBERS && !nytp_str_is(key, names[i]))
        i++;
    if (i <= RUN_REAL)
        d->run_ticks[i] = nytp_str_number(value);
    else if (i < HEADER_NUMBERS)
        d->header[i] = nytp_str_number(value);
    d->has_run |= i == RUN_REAL;
}

static void end_stacks(dump *d)
{
    nytp_calltree_end_stack(d->tree);
    subtimes_end_stack(&d->times);
    if (d->order != NULL)
        nytp_callorder_add(d->order, (nytp_ordered_call){.sub = NYTP_CALLS_END});
}

static void begin_process(dump *d, nytp_reader *reader, double time_s)
{
    double ticks_per_s = nytp_reader_ticks_per_sec(reader);
    if (d->ticks_per_s == 0)
        d->ticks_per_s = ticks_per_s;
    double scale = d->ticks_per_s / ticks_per_s;
    d->scale = scale;
    nytp_calltree_set_scale(d->tree, scale);
    for (int i = RUN_USER; i <= RUN_REAL; i++) {
        d->header[i] += d->run_ticks[i] * scale;
        d->run_ticks[i] = 0;
    }
    d->started_s = time_s;
    end_stacks(d);
    d->some_dprof |= d->is_dprof;
    d->some_other |= !d->is_dprof;
    memset(d->known, 0, sizeof d->known);
    if (!d->is_dprof || !wants_entries(d->options))
        nytp_reader_set_wanted(reader, dump_wanted() & ~nytp_tag_bit(NYTP_SUB_ENTRY));
}

/* The number of the shown name for one of a tmon.out. */
static uint32_t find_known(dump *d, const nytp_str *name)
{
    known_name *known = &d->known[((uintptr_t)name->bytes >> 3) % KNOWN_NAMES];
    if (known->bytes != name->bytes) {
        *known = (known_name){name->bytes, nytp_calltree_sub(d->tree, name)};
        if (d->options->root != NULL &&
            nytp_str_is(nytp_names_get(nytp_calltree_names(d->tree), known->sub), d->options->root))
            d->times.root = known->sub;
    }
    return known->sub;
}

/* Whether the tree is all that calls are for. */
static bool takes_runs(const dump *d)
{
    return !d->is_dprof && d->order == NULL;
}

size_t dump_take_run(void *context, nytp_reader *reader)
{
    dump *d = context;
    size_t count = takes_runs(d) ? nytp_calltree_take_returns(d->tree, reader) : 0;
    d->calls += count;
    return count;
}

static void leave(dump *d, const nytp_chunk *chunk)
{
    const nytp_str *name = &chunk->sub_return.name;
    d->calls++;
    if (takes_runs(d)) {
        nytp_calltree_add(d->tree, chunk);
        return;
    }
    uint32_t sub = d->is_dprof ? find_known(d, name) : nytp_calltree_sub(d->tree, name);
    if (d->order != NULL)
        nytp_callorder_add(d->order, (nytp_ordered_call){.sub = sub, .depth = chunk->sub_return.depth});
    else if (d->options->form == DUMP_TABLE)
        subtimes_leave(&d->times, sub, chunk->sub_return.incl_ticks * d->scale,
                       chunk->sub_return.excl_ticks * d->scale);
    else
        nytp_calltree_add_return(d->tree, sub, chunk->sub_return.depth, chunk->sub_return.excl_ticks);
}

void dump_take(void *context, nytp_reader *reader, const nytp_chunk *chunk)
{
    dump *d = context;
    switch (chunk->tag) {
    case NYTP_SUB_RETURN: leave(d, chunk); break;
    case NYTP_SUB_ENTRY: subtimes_enter(&d->times, find_known(d, &chunk->sub_entry.name)); break;
    case NYTP_ATTRIBUTE: take_attribute(d, chunk->attribute.key, chunk->attribute.value); break;
    case NYTP_PID_START: begin_process(d, reader, chunk->pid_start.time_s); break;
    case NYTP_PID_END:
        d->elapsed_s += chunk->pid_end.time_s - d->started_s;
        d->overhead_ticks +=
            nytp_reader_dprof_overhead(reader) * d->ticks_per_s / nytp_reader_ticks_per_sec(reader);
        break;
    default: break;
    }
}

void dump_end_profile(dump *d)
{
    end_stacks(d);
    d->is_dprof = false;
}

/* ---- what it says of time ---- */

/* Of the clock chosen; from is RUN_USER or OVER_USER. */
static double clock_sum(const dump *d, int from)
{
    const double *n = &d->header[from];
    switch (d->options->clock) {
    case NYTP_CLOCK_REAL: return n[2];
    case NYTP_CLOCK_USER: return n[0];
    case NYTP_CLOCK_SYSTEM: return n[1];
    default: return n[0] + n[1];
    }
}

/* As dprofpp: all time is what the header says, without what the profiler took; of a root's calls, what they
 * took. */
static void dprof_times(const dump *d, call_stacks *s)
{
    static const char *const clocks[] = {[NYTP_CLOCK_USER_SYSTEM] = "User+System Time",
                                         [NYTP_CLOCK_REAL] = "Real Time",
                                         [NYTP_CLOCK_USER] = "User Time",
                                         [NYTP_CLOCK_SYSTEM] = "System Time"};
    double overhead_ticks = d->overhead_ticks;
    s->clock = clocks[d->options->clock];
    s->rounds_first = true;
    if (d->options->root != NULL && d->header[OVER_TESTS] > 0)
        overhead_ticks = (double)d->times.calls * clock_sum(d, OVER_USER) / d->header[OVER_TESTS];
    if (d->has_run)
        s->elapsed_s = (d->header[RUN_REAL] - overhead_ticks) / d->ticks_per_s;
    if (d->has_run && d->options->root == NULL)
        s->total_ticks = fmax(clock_sum(d, RUN_USER) - overhead_ticks, 0);
}

static void set_times(dump *d, call_stacks *s)
{
    s->ticks_per_s = d->ticks_per_s > 0 ? d->ticks_per_s : 1;
    s->total_ticks = d->times.incl_ticks;
    s->elapsed_s = d->elapsed_s > 0 ? d->elapsed_s : NAN;
    s->clock = "Time in Subs";
    if (d->some_dprof && !d->some_other)
        dprof_times(d, s);
}

/* ---- writing ---- */

static bool *hidden_subs(const dump *d, const nytp_names *names)
{
    bool *hidden = g_new0(bool, nytp_names_count(names) + 1);
    for (uint32_t i = 0; i < nytp_names_count(names); i++)
        hidden[i] = naming_hides(d->naming, nytp_names_get(names, i));
    return hidden;
}

/* The number of the sub that goes by that name; none: UINT32_MAX and *why. */
static uint32_t find_sub(const nytp_names *names, const char *name, char **why)
{
    nytp_str alike = {0};
    for (uint32_t i = 0; i < nytp_names_count(names); i++) {
        nytp_str own = nytp_names_get(names, i);
        if (nytp_str_is(own, name))
            return i;
        if (nytp_str_is_sub(own, name))
            alike = own;
    }
    *why = alike.length == 0
               ? g_strdup_printf("no call of %s in there", name)
               : g_strdup_printf("no call of %s in there, but of %.*s", name, (int)alike.length, alike.bytes);
    return UINT32_MAX;
}

static void write_stacks(const dump *d, const call_stacks *s, FILE *out)
{
    switch (d->options->form) {
    case DUMP_JSON: json_write(s, out); break;
    case DUMP_TABLE: table_write(s, &d->times, out); break;
    default: merged_write(s, out); break;
    }
}

static void write_callers(const dump *d, const call_stacks *s, uint32_t callee, FILE *out)
{
    nytp_stacktree callers;
    call_stacks turned = *s;
    nytp_stacktree_init(&callers);
    stacks_of_callers(s->tree, callee, d->options->max_depth > 0 ? d->options->max_depth : UINT32_MAX,
                      &callers);
    turned.tree = &callers;
    write_stacks(d, &turned, out);
    nytp_stacktree_clear(&callers);
}

static bool shape_and_write(dump *d, call_stacks *s, FILE *out, char **why)
{
    const dump_options *o = d->options;
    uint32_t root = UINT32_MAX, callee = UINT32_MAX;
    if (o->root != NULL && (root = find_sub(s->names, o->root, why)) == UINT32_MAX)
        return false;
    if (o->callers != NULL && (callee = find_sub(s->names, o->callers, why)) == UINT32_MAX)
        return false;
    if (in_order(o)) {
        int rc = order_write(d->order, o, &(order_subs){s->names, s->hidden, root}, out);
        if (rc != 0)
            *why = g_strdup_printf(NYTP_UNNAMED_FILE_FAILED, g_strerror(rc));
        return rc == 0;
    }
    s->tree = nytp_calltree_stacks(d->tree);
    if (root != UINT32_MAX)
        stacks_root_at(s->tree, root);
    if (o->form == DUMP_TABLE)
        subtimes_add_stacks(&d->times, s->tree);
    else
        d->times.incl_ticks += s->tree->nodes[0].incl_ticks;
    set_times(d, s);
    if (callee != UINT32_MAX)
        write_callers(d, s, callee, out);
    else
        write_stacks(d, s, out);
    return true;
}

bool dump_write(dump *d, FILE *out, char **why)
{
    const nytp_names *names = nytp_calltree_names(d->tree);
    bool *hidden = hidden_subs(d, names);
    call_stacks s = {.options = d->options, .names = names, .hidden = hidden};
    bool done = shape_and_write(d, &s, out, why);
    g_free(hidden);
    return done;
}
