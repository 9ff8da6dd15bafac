/* What changed from OLD to NEW, by the subs and files of the report, which is that of one of NEW's runs. */
#pragma once

#include "../report.h"
#include "cli/options.h"

/* What of a sub, file, package or label changed. Times are ticks of the report; of samples, shares of its
 * time in ticks. */
enum html_changed { HTML_SELF, HTML_INCL, HTML_COUNT, HTML_CHANGED };
typedef struct html_change {
    int64_t number; /* in the report; -1: a package, or what the report does not have */
    char *name;     /* of such a file or package, to be shown; otherwise NULL */
    double value[HTML_CHANGED][NYTP_SIDES];
    enum nytp_verdict verdict[HTML_CHANGED];
} html_change;

/* What changed of a line: one of NEW, or one that only OLD has. */
typedef struct html_line_change {
    int64_t file;            /* number in the report */
    uint32_t line, old_line; /* 0: that side has no time and no statements of it */
    double value[NYTP_SIDES];
    enum nytp_verdict verdict;
    size_t row; /* of the comparison */
} html_line_change;

/* What it is found in. */
typedef struct html_line_sources {
    html_report *report;
    nytp_comparison *comparison;
    const nytp_profile *old;     /* OLD's run that is shown */
    const int64_t *file_numbers; /* in the report, by row of the comparison; -1: none */
    double unit;                 /* ticks of the report for a second or, of samples, for the whole time */
} html_line_sources;

/* Returns the number in the report of the file with that number in OLD, or -1. */
int64_t html_file_of_old(const html_line_sources *sources, uint32_t number);

/* Returns a new array of html_line_change, by file: first the lines of NEW, then those that only OLD has. */
GArray *html_line_changes_new(const html_line_sources *sources);

/* Returns the same lines with the numbers that the comparison has now. */
GArray *html_line_changes_again(const html_line_sources *sources, const GArray *lines);

/* A caller and a callee, or one of the places that calls are made from. */
typedef struct html_call_change {
    int64_t caller, callee; /* subs of the report; -1: outside of subs */
    int64_t file;           /* of a place, in the report; -1: it is not known, or only OLD has it */
    uint32_t line, old_line;
    double incl[NYTP_SIDES], calls[NYTP_SIDES]; /* incl: in ticks of the report */
    enum nytp_verdict verdict;                  /* of the inclusive time */
} html_call_change;

/* Returns a new array of html_call_change. kind: NYTP_COMPARE_CALLS or NYTP_COMPARE_PLACES. sub_numbers: in
 * the report, by row of the comparison. */
GArray *html_call_changes_new(const html_line_sources *sources, const int64_t *sub_numbers,
                              enum nytp_compared kind);

/* A sub that the report has only because of OLD. Its lines are those of OLD. */
typedef struct html_gone_sub {
    uint32_t sub; /* number in the report */
    uint32_t first_line, last_line;
} html_gone_sub;

/* Which sub of the report each sub of OLD is. */
typedef struct html_old_subs {
    uint32_t *numbers; /* in the report, by number in OLD's; 0 if OLD has no calls of it */
    GArray *gone;      /* html_gone_sub */
} html_old_subs;

/* numbers: those in the report, by row of the comparison. */
html_old_subs *html_old_subs_new(const html_line_sources *sources, const html_report *old,
                                 const int64_t *numbers);
void html_old_subs_free(html_old_subs *subs);

/* A file of NEW that has another text than in OLD, and its runs of lines that are the same. */
typedef struct html_text_change {
    int64_t file;         /* number in the report */
    uint64_t from, bytes; /* OLD's text in the stream of source; 0 bytes: it is not there */
    guint first_run, run_count;
} html_text_change;

/* Lines that are the same, or the same one edited: those of OLD from old on, and those of NEW from new on. */
typedef struct html_same_lines {
    uint32_t old, new, count;
} html_same_lines;

typedef struct html_text_changes {
    GArray *files; /* html_text_change */
    GArray *runs;  /* html_same_lines */
} html_text_changes;

/* The source text of OLD, as far as NEW does not have the same. */
typedef struct html_old_text html_old_text;

/* same has the text of NEW's profile. keep: whether the text is wanted, not only its hashes. */
html_old_text *html_old_text_new(const nytp_profile *profile, const nytp_source_text *same, bool keep);
void html_old_text_free(html_old_text *text); /* NULL is fine */

/* nytp_source_line_fn. Lines of a file come together; those that do not follow the one before are left out.
 */
void html_old_text_add(void *text, uint32_t fid, uint32_t line, nytp_str bytes);

/* Returns the hashes of all lines. Nothing can be added afterwards. */
const nytp_source_text *html_old_text_hashes(html_old_text *text);

/* Returns the text of a file, each line with a newline, or NULL if NEW has a file with that text, or nothing
 * is kept. */
const GString *html_old_text_get(const html_old_text *text, uint32_t fid);

/* Puts OLD's text of these files into the report's source. new_text has the hashes of NEW. */
html_text_changes *html_text_changes_new(const html_line_sources *sources, const nytp_source_text *new_text,
                                         html_old_text *old_text);
void html_text_changes_free(html_text_changes *changes);

/* A name in a sentence: bytes from at on are a sub or label of the report; -1: it has none of that name. */
typedef struct html_cause_name {
    size_t at, length;
    bool is_label;
    int64_t number;
} html_cause_name;

/* What caused a part of the difference (findings/causes.h). */
typedef struct html_cause {
    const char *kind; /* "calls" */
    double ticks;     /* of the report */
    char *sentence;
    html_cause_name names[2];
    size_t name_count;
} html_cause;

/* Returns a new array of html_cause. subs and labels: numbers in the report, by row of the comparison. unit:
 * as in html_line_sources. */
GArray *html_causes_new(nytp_comparison *comparison, const int64_t *subs, const int64_t *labels, double unit);

/* Adds a run that is a report of its own, with its labels. */
void html_comparison_add(nytp_comparison *comparison, enum nytp_side side, const html_report *report,
                         const nytp_source_text *text);

/* Returns the numbers of labels in the report, by row of the comparison; -1: only runs that are not shown
 * have it. Those that only OLD has become labels of the report. The caller must g_free() it. */
int64_t *html_label_numbers(nytp_comparison *comparison, html_report *report, const html_report *old);

/* What is compared. */
typedef struct html_compared {
    const nytp_operands *sides;    /* all runs, as they were named */
    const char *shown[NYTP_SIDES]; /* the runs of the two reports */
    html_report *report, *old;
    nytp_comparison *comparison; /* of all runs, those two first, and in its other lists of their work, */
    bool has_work;               /* if anything waited */
    const nytp_source_text *new_text; /* of the report */
    html_old_text *old_text;          /* of old */
} html_compared;

/* What changed of the times. */
struct html_changes {
    double whole[NYTP_SIDES]; /* ticks of the report */
    enum nytp_verdict verdict;
    GArray *subs, *files, *packages, *labels; /* html_change; of labels, runs are in the place of calls */
    GArray *causes;                           /* html_cause */
    GArray *lines;                            /* html_line_change */
    GArray *pairs, *places;                   /* html_call_change: by caller and callee, and by line, too */
};

struct html_difference {
    const nytp_operands *sides;
    const char *shown[NYTP_SIDES];
    bool by_share;
    html_changes all, work; /* of all time and of the work, which have the same rows */
    bool has_work;          /* otherwise nothing waited */
    char *causes_heading;
    html_text_changes *texts;
    html_report *old;
    html_old_subs *old_subs;
    double stack_scale, call_scale; /* from the ticks of old to those of the report */
};

/* Subs that only OLD has become subs of the report. Takes ownership of compared->old. */
html_difference *html_difference_new(const html_compared *compared);
void html_difference_free(html_difference *difference); /* NULL is fine */
