/* What changed from OLD to NEW, by the subs and files of the report, which is that of one of NEW's runs. */
#pragma once

#include "call_changes.h"
#include "old_subs.h"
#include "text_changes.h"
#include "cli/options.h"

/* What of a sub, file or package changed. Times are ticks of the report; of samples, shares of its time in
 * ticks. */
enum html_changed { HTML_SELF, HTML_INCL, HTML_COUNT, HTML_CHANGED };
typedef struct html_change {
    int64_t number; /* of a sub or file in the report; -1: a package, or a file that only OLD has */
    char *name;     /* of such a file or package, to be shown; otherwise NULL */
    double value[HTML_CHANGED][NYTP_SIDES];
    enum nytp_verdict verdict[HTML_CHANGED];
} html_change;

/* What is compared. */
typedef struct html_compared {
    const nytp_operands *sides;    /* all runs, as they were named */
    const char *shown[NYTP_SIDES]; /* the runs of the two reports */
    html_report *report, *old;
    nytp_comparison *comparison;      /* of all runs, those two first */
    const nytp_source_text *new_text; /* of the report */
    html_old_text *old_text;          /* of old */
} html_compared;

struct html_difference {
    const nytp_operands *sides;
    const char *shown[NYTP_SIDES];
    bool by_share;
    double whole[NYTP_SIDES]; /* ticks of the report */
    enum nytp_verdict verdict;
    GArray *subs, *files, *packages; /* html_change */
    GArray *lines;                   /* html_line_change */
    GArray *pairs, *places;          /* html_call_change: by caller and callee, and by line, too */
    html_text_changes *texts;
    html_report *old;
    html_old_subs *old_subs;
    double stack_scale, call_scale; /* from the ticks of old to those of the report */
};

/* Subs that only OLD has become subs of the report. Takes ownership of compared->old. */
html_difference *html_difference_new(const html_compared *compared);
void html_difference_free(html_difference *difference); /* NULL is fine */
