#include "core.h"

#include "base/ticks.h"
#include "overview.h"

#include <math.h>

static uint32_t number_of(const html_calls_as *as, uint32_t sub)
{
    return as->numbers != NULL ? as->numbers[sub] : sub;
}

/* When each process started, in ticks since the first one did: so all share one axis. */
static int64_t start_ticks(const html_report *r, uint32_t process, double first_s)
{
    const nytp_process *of_call = nytp_profile_process(r->profile, process);
    const double ticks = of_call != NULL ? (of_call->start_s - first_s) * r->measure.ticks_per_base : 0;
    const double most = 9e15; /* JavaScript has larger integers only rounded */
    return ticks > 0 && ticks < most ? (int64_t)ticks : 0;
}

void html_calls_write(const html_report *report, const html_calls_as *as, html_json *json)
{
    size_t count;
    const nytp_long_call *calls = nytp_longest_calls_get(report->longest, &count);
    const double scale = report->call_scale * as->call_scale;
    int64_t start = 0, begin = 0, before = 0;
    const double first_s = nytp_processes_begin_s(report->profile);
    double shortest = INFINITY;
    for (size_t i = 0; i < count; i++)
        shortest = fmin(shortest, calls[i].ticks);
    html_json_open(json, "calls", '{');
    HTML_COLUMN(json, "sub", count, i, number_of(as, report->call_subs[calls[i].sub]));
    HTML_COLUMN(json, "depth", count, i, calls[i].depth > 0 ? calls[i].depth - 1 : 0);
    html_json_open(json, "begin", '[');
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || calls[i].process != calls[i - 1].process)
            start = nytp_whole_ticks((double)start_ticks(report, calls[i].process, first_s) * as->call_scale);
        begin = nytp_add_ticks(start, nytp_whole_ticks(calls[i].begin_ticks * scale));
        html_json_int(json, NULL, begin - before);
        before = begin;
    }
    html_json_close(json, ']');
    HTML_COLUMN(json, "ticks", count, i, nytp_whole_ticks(calls[i].ticks * scale));
    HTML_COLUMN(json, "process", count, i, calls[i].process);
    html_json_int(json, "shortest", count > 0 ? nytp_whole_ticks(shortest * scale) : 0);
    html_json_int(json, "all", (int64_t)nytp_longest_calls_total(report->longest));
    html_json_close(json, '}');
}

static const html_stack *stack_at(const html_report *report, guint i)
{
    return &g_array_index(report->stacks, html_stack, i);
}

void html_stacks_write(const html_report *report, const html_calls_as *as, html_json *json)
{
    const html_report *r = report;
    const guint count = r->stacks->len;
    html_json_open(json, "stacks", '{');
    HTML_COLUMN(json, "sub", count, i, number_of(as, stack_at(r, i)->sub));
    HTML_COLUMN(json, "depth", count, i, stack_at(r, i)->depth);
    HTML_COLUMN(json, "calls", count, i, (int64_t)stack_at(r, i)->calls);
    HTML_COLUMN(json, "excl", count, i, nytp_whole_ticks(stack_at(r, i)->excl_ticks * as->stack_scale));
    HTML_WAITED_COLUMNS(json, count, i, true, stack_at(r, i)->waited, as->stack_scale);
    html_json_close(json, '}');
}
