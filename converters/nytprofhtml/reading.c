#include "reading.h"

#include "cli/read.h"
#include "cli/say.h"
#include "calls/calltree.h"
#include "compare/comparison.h"

html_report *html_read_report(const html_options *options, const nytp_common_options *common)
{
    const nytp_operands *files = options->inputs;
    html_building *b = html_building_new(options);
    const nytp_read_handler handler = {.tags = html_building_tags(b),
                                       .read_some = html_building_read,
                                       .end_profile = html_building_end_profile,
                                       .context = b};
    for (int i = 0; i < files->count; i++) {
        if (nytp_read(files->names[i], common, &handler) < 0) {
            html_building_free(b);
            return NULL;
        }
    }
    return html_building_finish(b, options);
}

typedef struct reading {
    const nytp_operands *sides;
    const nytp_common_options *common;
    int shown[NYTP_SIDES]; /* which run of each side */
    html_compared compared;
    nytp_source_text *new_text;
} reading;

static html_report *read_new(reading *r, html_options *options)
{
    const nytp_operands one = {r->sides[NYTP_NEW].names + r->shown[NYTP_NEW], 1};
    options->inputs = &one;
    options->on_source = nytp_source_text_add;
    options->on_source_context = r->new_text = nytp_source_text_new();
    html_report *report = html_read_report(options, r->common);
    options->inputs = &r->sides[NYTP_NEW];
    return report;
}

/* The files on disk are not those that OLD ran. */
static html_report *read_old(reading *r, const html_options *options)
{
    const nytp_operands one = {r->sides[NYTP_OLD].names + r->shown[NYTP_OLD], 1};
    html_options of_old = *options;
    r->compared.old_text = html_old_text_new(r->compared.report->profile, r->new_text, !options->no_source);
    of_old.inputs = &one;
    of_old.no_source = true;
    of_old.on_source = html_old_text_add;
    of_old.on_source_context = r->compared.old_text;
    return html_read_report(&of_old, r->common);
}

/* Adds a run that is not shown. Its calls are read if there are labels to compare. */
static bool add_other(const reading *r, const nytp_common_options *common, enum nytp_side side,
                      const char *file)
{
    const html_compared *c = &r->compared;
    const bool has_labels = c->report->labels != NULL || c->old->labels != NULL;
    nytp_profile *profile = nytp_profile_new();
    nytp_calltree *tree = has_labels ? nytp_calltree_new(NULL, NULL) : NULL;
    const int rc = nytp_read_profile(file, common, profile, tree);
    if (rc >= 0) {
        nytp_profile_merge_evals(profile);
        nytp_comparison_add(c->comparison, side, profile, NULL, NULL);
    }
    if (rc >= 0 && tree != NULL) {
        nytp_by_label *labels = nytp_by_label_new();
        nytp_by_label_add_profile(labels, profile, tree);
        nytp_comparison_add_labels(c->comparison, side, labels);
        nytp_by_label_free(labels);
    }
    nytp_calltree_free(tree);
    nytp_profile_free(profile);
    return rc >= 0;
}

/* Adds the runs of a side that are not shown. */
static bool add_others(const reading *r, enum nytp_side side)
{
    for (int i = 0; i < r->sides[side].count; i++)
        if (i != r->shown[side] && !add_other(r, r->common, side, r->sides[side].names[i]))
            return false;
    return true;
}

/* Whether the work is less than all time, and can be read from the same files. */
static bool can_read_work(const reading *r)
{
    nytp_comparison *c = r->compared.comparison;
    nytp_change asleep, queued;
    nytp_comparison_whole(c, (enum nytp_figure)NYTP_FIGURE_ASLEEP, &asleep);
    nytp_comparison_whole(c, (enum nytp_figure)NYTP_FIGURE_QUEUED, &queued);
    bool can = !nytp_comparison_is_by_share(c) || nytp_comparison_measures_waits(c), waited = false;
    NYTP_EACH_SIDE(side) {
        waited |= asleep.median[side] + queued.median[side] > 0;
        for (int i = 0; i < r->sides[side].count; i++)
            can &= nytp_can_be_read_again(r->sides[side].names[i]);
    }
    return can && waited;
}

/* Adds the work of all runs to the other lists of the comparison. */
static bool add_work(const reading *r)
{
    nytp_common_options of_work = *r->common;
    bool is_read = true;
    of_work.filters.work = of_work.is_again = true;
    nytp_comparison_switch(r->compared.comparison);
    NYTP_EACH_SIDE(side)
        for (int i = 0; i < r->sides[side].count && is_read; i++)
            is_read = add_other(r, &of_work, (enum nytp_side)side, r->sides[side].names[i]);
    nytp_comparison_switch(r->compared.comparison);
    return is_read;
}

/* Returns NULL after saying which run cannot be read. */
static html_difference *compare(reading *r)
{
    html_compared *c = &r->compared;
    html_comparison_add(c->comparison, NYTP_NEW, c->report, r->new_text);
    html_comparison_add(c->comparison, NYTP_OLD, c->old, html_old_text_hashes(c->old_text));
    if (!add_others(r, NYTP_OLD) || !add_others(r, NYTP_NEW))
        return NULL;
    c->has_work = can_read_work(r);
    if (c->has_work && !add_work(r))
        return NULL;
    html_difference *d = html_difference_new(c);
    for (guint i = 0; i < c->old->problems->len; i++)
        html_report_problem(c->report, "%s: %s", c->shown[NYTP_OLD],
                            (const char *)c->old->problems->pdata[i]);
    c->old = NULL;
    return d;
}

html_report *html_read_difference(html_options *options, const nytp_operands sides[NYTP_SIDES],
                                  const nytp_common_options *common, html_difference **difference)
{
    reading r = {.sides = sides, .common = common};
    html_compared *c = &r.compared;
    c->sides = sides;
    NYTP_EACH_SIDE(side) {
        r.shown[side] = html_median_run(&sides[side], common);
        c->shown[side] = sides[side].names[r.shown[side]];
    }
    c->comparison = nytp_comparison_new();
    c->report = read_new(&r, options);
    c->new_text = r.new_text;
    if (c->report != NULL)
        c->old = read_old(&r, options);
    *difference = c->old != NULL ? compare(&r) : NULL;
    html_report *report = c->report;
    if (*difference != NULL)
        report->difference = *difference;
    else
        g_clear_pointer(&report, html_report_free);
    html_report_free(c->old);
    html_old_text_free(c->old_text);
    nytp_source_text_free(r.new_text);
    nytp_comparison_free(c->comparison);
    return report;
}
