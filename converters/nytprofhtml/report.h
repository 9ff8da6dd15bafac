/* The data of a report: a profile whose evals are merged, numbered anew, and summed up by sub and file. */
#pragma once

#include "labels.h"
#include "model/origin.h"
#include "source.h"
#include "stacks.h"
#include "calls/durations.h"
#include "calls/kinds.h"
#include "calls/longest_calls.h"
#include "calls/process_times.h"
#include "calls/span_sample.h"
#include "calls/span_trees.h"
#include "calls/time_slices.h"
#include "findings/findings.h"
#include "model/measure.h"
#include "model/memory.h"
#include "model/names.h"

typedef struct html_file {
    const nytp_file *of;
    char *name; /* to be shown: valid UTF-8, on one line */
    enum nytp_origin origin;
    bool is_placed;  /* origin is that of the outermost file */
    int64_t parent;  /* number of the file where the eval was done; -1 */
    uint32_t merged; /* how many evals were merged into it */
    uint64_t statements;
    int64_t ticks;
} html_file;

typedef struct html_sub {
    char *name; /* to be shown */
    enum nytp_sub_kind kind;
    bool waits;   /* see nytp_sub_waits() */
    bool is_eval; /* no sub, but what stacks have for the string evals of its file and first line */
    int64_t file; /* -1: not known */
    uint32_t first_line, last_line, range_count;
    uint64_t calls;
    int64_t incl_ticks, excl_ticks, reci_ticks;
    uint32_t arcs; /* how many lead to it */
} html_sub;

typedef struct html_arc {
    nytp_arc of;  /* with numbers of subs of the report */
    int64_t file; /* number of the file; -1 */
} html_arc;

/* A line or, with levels, a line and the block and sub around it. */
typedef struct html_line_row {
    int64_t file;
    nytp_level at;
} html_line_row;

/* What stacks and lines have in slices of the time. */
typedef struct html_slices {
    nytp_slice_grid grid; /* count 0: there are none, and NULL for the three arrays */
    double end_s;         /* the last moment of any process, since 1970 */
    GArray *stacks;       /* nytp_slice_cell: of is a row of stacks */
    GArray *lines;        /* nytp_slice_cell: of is a row of lines */
    GArray *memory;       /* nytp_memory_point; it may be empty */
} html_slices;

typedef struct html_difference html_difference; /* difference.h */

/* The outermost stack of what is left out by --min. */
#define HTML_FOLDED "(less than --min)"

typedef struct html_report {
    nytp_profile *profile;
    nytp_measure measure;
    nytp_memory_about memory; /* what profiles of memory say of themselves */
    nytp_kinds *kinds;        /* of memory; NULL for other profiles */
    GArray *kind_sums;        /* nytp_kind_sum, as kinds */
    bool is_tmon;
    GArray *files;     /* html_file */
    GArray *subs;      /* html_sub */
    GArray *arcs;      /* html_arc, sorted by callee, caller, file and line */
    GArray *stacks;    /* html_stack */
    GArray *line_rows; /* html_line_row, sorted by file, line, block and sub */
    html_slices slices;
    html_by_process *by_process; /* NULL: there is one process, or no stacks */
    nytp_process_times *process_times;
    nytp_longest_calls *longest;
    uint32_t *call_subs; /* number in the report, indexed by that in longest */
    double call_scale;   /* from the ticks in longest to those of the report */
    html_source *source;
    nytp_findings *findings;
    nytp_sub_durations durations;   /* by number of the sub; subs that calls alone have follow them */
    html_labels *labels;            /* NULL: no call has a label */
    nytp_span_sample *requests;     /* spans */
    nytp_span_trees *request_trees; /* NULL: without stacks */
    nytp_span_lines *request_lines; /* the places of their lines */
    html_difference *difference;    /* from OLD; NULL: nothing is compared. It belongs to the program */
    nytp_origins *origins;
    int64_t *file_numbers;   /* number in the report or -1, indexed by that in the profile */
    GHashTable *sub_numbers; /* raw name: number + 1 */
    GHashTable *file_names;  /* raw name: nytp_file */
    uint64_t statements, calls, evals;
    int64_t ticks;       /* of all statements; where there are none, of all calls */
    GPtrArray *problems; /* char *: texts for banners */
} html_report;

/* Takes ownership of all six, and frees the tree. by_process may be NULL. */
html_report *html_report_new(nytp_profile *profile, nytp_calltree *tree, html_source *source,
                             nytp_longest_calls *longest, nytp_findings *findings,
                             html_by_process *by_process);
void html_report_free(html_report *report); /* NULL is fine */

/* Without the stacks, and what refers to them. */
void html_report_forget_stacks(html_report *report);

void html_report_problem(html_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline html_file *html_report_file(const html_report *r, size_t number)
{
    return &g_array_index(r->files, html_file, number);
}

static inline html_sub *html_report_sub(const html_report *r, size_t number)
{
    return &g_array_index(r->subs, html_sub, number);
}

/* Returns the number of the file with that fid, or of the eval that it was merged into; -1: there is none. */
int64_t html_report_file_number(const html_report *report, uint32_t fid);

/* Returns the number of the sub with that name, a new one if there is none. */
uint32_t html_report_number_of(html_report *report, nytp_str name);

/* Whose code a sub is: an nytp_origin, or one of the others. */
enum { HTML_NATIVE = NYTP_ORIGINS, HTML_WAITING, HTML_ORIGINS, HTML_UNKNOWN = -1 };
int html_report_sub_origin(const html_report *report, size_t number);

/* The count of calls or, of memory, of blocks; of samples of time the number of those in these ticks instead.
 */
uint64_t html_report_count(const html_report *report, uint64_t count, double ticks);

/* Returns the program that has recorded the profile, or NULL if that is not known. g_free() it. */
char *html_report_collector(const html_report *report);

/* Returns the shown value of an attribute or option, or NULL if there is none. g_free() it. */
char *html_report_setting(const html_report *report, nytp_tag tag, const char *key);
