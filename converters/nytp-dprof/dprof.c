#include "dprof.h"

#include "base/ticks.h"
#include "model/callorder.h"
#include "model/names.h"
#include "escape.h"

#include <glib.h>
#include <math.h>

struct dprof {
    nytp_names *names;
    nytp_callorder *calls;
    uint64_t call_count;
    double ticks_per_sec;
    double carry_ticks; /* exclusive time that no call has yet: a fraction of a tick, or negative */
    int64_t sum_ticks;
    double start_s, end_s; /* of the processes: the first start, the last end; NaN: there was none */
};

dprof *dprof_new(void)
{
    dprof *d = g_new0(dprof, 1);
    d->names = nytp_names_new();
    d->calls = nytp_callorder_new();
    d->start_s = d->end_s = NAN;
    return d;
}

void dprof_free(dprof *d)
{
    nytp_names_free(d->names);
    nytp_callorder_free(d->calls);
    g_free(d);
}

void dprof_totals(const dprof *d, uint64_t *calls, uint32_t *subs)
{
    *calls = d->call_count;
    *subs = nytp_names_count(d->names);
}

/* ---- reading ---- */

uint32_t dprof_wanted(void)
{
    return nytp_tag_bit(NYTP_SUB_RETURN) | nytp_tag_bit(NYTP_PID_START) | nytp_tag_bit(NYTP_PID_END);
}

/* Returns the ticks to write for a call. A tmon.out has whole ticks and a clock that never steps back, so the
 * remainder is carried to the next call. Sums are right within a tick. */
static int64_t whole_ticks(dprof *d, double ticks)
{
    if (!nytp_is_ticks(ticks))
        return 0;
    d->carry_ticks += ticks;
    int64_t whole = d->carry_ticks > 0 ? (int64_t)(d->carry_ticks + 0.5) : 0;
    d->carry_ticks -= (double)whole;
    return whole;
}

static void add_return(dprof *d, const nytp_chunk *chunk)
{
    nytp_ordered_call call = {.sub = nytp_names_intern(d->names, &chunk->sub_return.name, NULL),
                              .depth = chunk->sub_return.depth,
                              .excl_ticks = whole_ticks(d, chunk->sub_return.excl_ticks)};
    d->sum_ticks += call.excl_ticks;
    d->call_count++;
    nytp_callorder_add(d->calls, call);
}

static void add_chunk(dprof *d, const nytp_reader *reader, const nytp_chunk *chunk)
{
    d->ticks_per_sec = nytp_reader_ticks_per_sec(reader);
    if (chunk->tag == NYTP_SUB_RETURN) {
        add_return(d, chunk);
    } else if (chunk->tag == NYTP_PID_START) {
        d->start_s = fmin(d->start_s, chunk->pid_start.time_s); /* fmin() ignores NaN */
        nytp_callorder_add(d->calls, (nytp_ordered_call){.sub = NYTP_CALLS_END});
    } else {
        d->end_s = fmax(d->end_s, chunk->pid_end.time_s);
    }
}

int dprof_read(void *context, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; n < SOME && (rc = nytp_reader_next(reader, &chunk)) == NYTP_OK; n++)
        add_chunk(context, reader, &chunk);
    return rc;
}

/* ---- writing ---- */

/* Returns how long the program ran, which is at least as long as its calls took. */
static double run_ticks(const dprof *d)
{
    double ticks = (d->end_s - d->start_s) * d->ticks_per_sec;
    return isfinite(ticks) ? fmax(rint(ticks), (double)d->sum_ticks) : (double)d->sum_ticks;
}

/* The overhead is zero because NYTProf has subtracted it. The time counts as user time, which dprofpp shows
 * by default. */
static void write_head(const dprof *d, FILE *out)
{
    double ran = run_ticks(d);
    fprintf(out,
            "#fOrTyTwO\n"
            "$hz=%.17g;\n"
            "$XS_VERSION='DProf 20110802.00';\n"
            "# All values are given in HZ\n"
            "$over_utime=0; $over_stime=0; $over_rtime=0;\n"
            "$over_tests=10000;\n"
            "$rrun_utime=%.0f; $rrun_stime=0; $rrun_rtime=%.0f;\n"
            "$total_marks=%" G_GUINT64_FORMAT "\n"
            "\n"
            "PART2\n",
            d->ticks_per_sec, ran, ran, 2 * d->call_count);
}

typedef struct writing {
    FILE *out;
    const nytp_names *names;
    GArray *open;     /* nytp_ordered_call: calls that have not ended, outermost first */
    uint32_t *ids;    /* of subs; 0: not defined yet */
    uint32_t next_id; /* Devel::DProf's begin with 2 */
} writing;

static void write_mark(FILE *out, char mark, uint32_t id)
{
    char line[16], *at = line + sizeof line;
    *--at = '\n';
    for (; id > 0; id >>= 4)
        *--at = "0123456789abcdef"[id & 0xF];
    *--at = ' ';
    *--at = mark;
    fwrite_unlocked(at, 1, (size_t)(line + sizeof line - at), out);
}

static void leave(writing *w)
{
    const nytp_ordered_call *call = &g_array_index(w->open, nytp_ordered_call, w->open->len - 1);
    if (call->excl_ticks > 0)
        fprintf(w->out, "@ %" G_GINT64_FORMAT " 0 %" G_GINT64_FORMAT "\n", call->excl_ticks,
                call->excl_ticks);
    write_mark(w->out, '-', w->ids[call->sub]);
    g_array_set_size(w->open, w->open->len - 1);
}

static void enter(writing *w, nytp_ordered_call call)
{
    if (w->ids[call.sub] == 0) {
        w->ids[call.sub] = w->next_id++;
        fprintf(w->out, "& %x ", w->ids[call.sub]);
        dprof_escape_name(w->out, nytp_names_get(w->names, call.sub));
        putc('\n', w->out);
    }
    write_mark(w->out, '+', w->ids[call.sub]);
    g_array_append_val(w->open, call);
}

int dprof_write(dprof *d, FILE *out)
{
    writing w = {.out = out,
                 .names = d->names,
                 .open = g_array_new(FALSE, FALSE, sizeof(nytp_ordered_call)),
                 .ids = g_new0(uint32_t, nytp_names_count(d->names)),
                 .next_id = 2};
    nytp_ordered_call call;
    nytp_callorder_turn(d->calls);
    write_head(d, out);
    while (nytp_callorder_next(d->calls, &call)) {
        while (w.open->len > call.depth)
            leave(&w);
        enter(&w, call);
    }
    while (w.open->len > 0)
        leave(&w);
    g_array_free(w.open, TRUE);
    g_free(w.ids);
    return nytp_callorder_error(d->calls);
}
