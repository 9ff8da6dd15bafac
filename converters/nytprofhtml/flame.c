#include "overview.h"

#include "text.h"
#include "model/package.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 1200, ROW = 18, LETTER = 7, DEEPEST = 60 };
static const double least_share = 0.002;

static const char no_color[] = "#d5d8dd";

/* Packages shade the colours of origins a little. The style sheet has both, also for dark schemes; what is
 * here is for servers that forbid styles. */
static void put_color(FILE *out, int origin, const char *name)
{
    static const char *const hues[] = {"36,92%", "208,62%", "172,36%", "276,44%", "350,78%"};
    const char *end = name + nytp_package_length_of(name);
    guint hash = 5381;
    for (const char *at = name; at < end; at++)
        hash = hash * 33 + (unsigned char)*at;
    if (origin == HTML_UNKNOWN)
        fprintf(out, " fill=\"%s\"", no_color);
    else
        fprintf(out, " class=\"o%d s%u\" fill=\"hsl(%s,%u%%)\"", origin, hash % 4, hues[origin],
                72 + hash % 4 * 3);
}

/* As many characters as fit into a box; none if hardly one does. */
static void put_label(FILE *out, const char *name, double x, double y, double width)
{
    glong room = (glong)((width - 6) / LETTER), length = g_utf8_strlen(name, -1);
    if (room < 3)
        return;
    g_autofree char *some = g_utf8_substring(name, 0, length <= room ? length : room - 1);
    html_put(out, "<text x=\"%.1f\" y=\"%.0f\">%s%s</text>", x + 3, y + ROW - 5, some,
             length <= room ? "" : "…");
}

/* A box without a link: the picture is for browsers that run no script, where no address leads anywhere. */
static void put_box(const html_report *r, int origin, const char *name, guint depth, double x, double share,
                    double ticks, FILE *out)
{
    double y = (depth + 1.0) * ROW, width = share * WIDTH;
    fprintf(out, "<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\"", x, y, fmax(width - 0.5, 0.5),
            ROW - 1);
    put_color(out, origin, name);
    html_put(out, "><title>%s: %.1f %%, %s</title></rect>", name, share * 100,
             html_time(ticks / r->ticks_per_s, html_step_s(r->sampled_hz)).text);
    put_label(out, name, x, y, width);
    fputs("\n", out);
}

/* Returns the ticks that the whole width stands for. The calls' clock and the statements' clock differ, so
 * calls may add up to a little more than all statements. */
static double total_of(const html_report *r)
{
    double sum = 0;
    for (guint i = 0; i < r->stacks->len; i = g_array_index(r->stacks, html_stack, i).end)
        sum += fmax(g_array_index(r->stacks, html_stack, i).incl_ticks, 0);
    return fmax(sum, (double)r->ticks);
}

/* Calls put for each box that is wide enough; put may be NULL. Returns how deep they go. */
static guint each_box(const html_report *r, FILE *out)
{
    double total = total_of(r), x[DEEPEST + 1] = {0};
    guint deepest = 0;
    for (guint i = 0; i < r->stacks->len && total > 0;) {
        const html_stack *s = &g_array_index(r->stacks, html_stack, i);
        double share = s->incl_ticks / total;
        if (s->depth >= DEEPEST || !(share >= least_share)) {
            if (s->depth < DEEPEST)
                x[s->depth] += fmax(share, 0) * WIDTH;
            i = s->end;
            continue;
        }
        if (out != NULL)
            put_box(r, html_report_sub_origin(r, s->sub), html_report_sub(r, s->sub)->name, s->depth,
                    x[s->depth], share, s->incl_ticks, out);
        x[s->depth + 1] = x[s->depth];
        x[s->depth] += share * WIDTH;
        deepest = MAX(deepest, s->depth + 1);
        i++;
    }
    double outside = 1 - x[0] / WIDTH;
    if (out != NULL && deepest > 0 && outside >= least_share)
        put_box(r, HTML_UNKNOWN, "outside of subs", 0, x[0], outside, outside * total, out);
    return deepest;
}

void html_flame_write(const html_report *report, FILE *out)
{
    guint deepest = each_box(report, NULL);
    fprintf(out,
            "<svg viewBox=\"0 0 %d %u\" width=\"100%%\" role=\"img\" aria-label=\"Flame graph\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"#111\">\n",
            WIDTH, (deepest + 1) * ROW);
    fprintf(out,
            "<rect width=\"%d\" height=\"%d\" fill=\"%s\"></rect><text x=\"3\" y=\"%d\">all: %s</text>\n",
            WIDTH, ROW - 1, no_color, ROW - 5,
            html_time((double)report->ticks / report->ticks_per_s, html_step_s(report->sampled_hz)).text);
    each_box(report, out);
    fputs("</svg>\n", out);
}
