/* The data of a report (html_report): a profile whose evals are merged, numbered anew, and summed up by sub
 * and file. Before it, what it is made of: the stacks of each process (html_by_process), labels
 * (html_labels), the text of the files (html_source), stacks, and the rows of files, subs, arcs and lines. */
#pragma once

#include "json.h"
#include "nytprof-model.h"

#include "calls/by_label.h"
#include "calls/durations.h"
#include "calls/kinds.h"
#include "calls/longest_calls.h"
#include "calls/process_times.h"
#include "calls/span_sample.h"
#include "calls/span_trees.h"
#include "calls/stacktree.h"
#include "calls/time_slices.h"
#include "events/traces.h"
#include "findings/findings.h"
#include "memory/history.h"
#include "model/measure.h"
#include "model/names.h"
#include "model/origin.h"

#include <glib.h>

/* What a process has of a stack. */
typedef struct html_process_stack {
    uint32_t stack; /* number of the node; after html_by_process_place() its index in the report */
    uint64_t calls;
    double excl_ticks;
    nytp_waited waited; /* of excl_ticks */
} html_process_stack;

typedef struct html_by_process html_by_process;

html_by_process *html_by_process_new(void);
void html_by_process_free(html_by_process *by); /* NULL is fine */

/* Call it when a process begins, with the stacks of the one before: they are moved. */
void html_by_process_begin(html_by_process *by, nytp_stacktree *stacks);

/* Call it when everything was read: stacks get the nodes of all processes. */
void html_by_process_end(html_by_process *by, nytp_stacktree *stacks);

/* Call it when stacks were pruned. places has the index in the report of each of their nodes, NO_PLACE where
 * it was folded into its caller. scale: from the tree's ticks to the report's. */
#define HTML_NO_PLACE UINT32_MAX
void html_by_process_place(html_by_process *by, const nytp_stacktree *stacks, const uint32_t *places,
                           double scale);

/* Returns how many processes there are; 0 or 1: nothing is known of their stacks. */
uint32_t html_by_process_count(const html_by_process *by);

/* Returns what a process has, sorted by stack. */
const html_process_stack *html_by_process_get(const html_by_process *by, uint32_t number, uint32_t *count);

/* How long the calls of a span took, in ticks of the tree. */
typedef struct html_span_times {
    double median, p95, p99, longest;
    nytp_trace ids; /* of the longest; empty: none */
} html_span_times;

/* The ids of the longest call of a sub that has any, and its ticks as those of durations. */
typedef struct html_traced {
    double ticks;
    nytp_trace ids;
} html_traced;

typedef struct html_labels {
    nytp_by_label *sums;
    GArray *spans;   /* html_span_times, by number of the label; those of other labels are 0 */
    bool has_calls;  /* the outermost calls are known, and so are times of spans */
    bool has_traces; /* a span has ids */
} html_labels;

/* tree has all calls of the profile, with unchanged names, and durations those of its spans. traced: an
 * html_traced for each name, by its number; it may be shorter than the names are many. Returns NULL if there
 * are no labels.
 */
html_labels *html_labels_new(const nytp_profile *profile, nytp_calltree *tree,
                             const nytp_durations *durations, const GArray *traced);

/* Adds a label without calls, if there is none of that name; *labels may be NULL. Returns its number. */
uint32_t html_labels_add(html_labels **labels, const nytp_labelled *label);
void html_labels_free(html_labels *labels); /* NULL is fine */

typedef struct html_source html_source;

html_source *html_source_new(void);
void html_source_free(html_source *source); /* NULL is fine */

/* Adds a line of the file with that fid of the current input. Lines of a file come together and in order;
 * what comes again is left out. */
void html_source_add(html_source *source, uint32_t fid, uint32_t line, nytp_str text);

/* To be called after each input. to gives the fid that a report of all inputs has for one of the input; 0:
 * none. NULL: they are the same. The first text of a file stays. */
typedef uint32_t html_source_map_fn(const void *context, uint32_t fid);
void html_source_end_input(html_source *source, html_source_map_fn *to, const void *context);

/* Adds all lines of a file, as html_source_add() does. */
void html_source_add_text(html_source *source, uint32_t fid, const char *text, size_t size);

/* Where the text of a file of the report lies in the stream. False: there is none. */
bool html_source_place(const html_source *source, uint32_t fid, uint64_t *from, uint64_t *bytes);

/* Nothing can be added afterwards. Returns what the blocks are deflated with, for other blocks of the report;
 * it belongs to the source. */
html_pack *html_source_end(html_source *source);

/* Writes the elements with all blocks; they are the first that come out of html_source_end(). Returns how
 * many bytes they are, as html_pack_bytes() does. */
size_t html_source_write(html_source *source, FILE *out);

typedef struct html_stack {
    uint32_t sub;   /* number in the report */
    uint32_t depth; /* from 0 on */
    uint64_t calls;
    double excl_ticks, incl_ticks;
    uint32_t end;       /* index of the first node after those below it */
    nytp_waited waited; /* of excl_ticks */
} html_stack;

/* Gives the number that the report has for a sub. */
typedef uint32_t html_number_fn(void *context, nytp_str name);

/* Returns the numbers in the report, indexed by those of shown names in the tree. The caller must g_free()
 * them. */
uint32_t *html_stacks_numbers(nytp_calltree *tree, html_number_fn *number_of, void *context);

/* A new array of html_stack, siblings in order of their first return. scale: from the tree's ticks to the
 * report's. by may be NULL. */
GArray *html_stacks_new(nytp_calltree *tree, const uint32_t *numbers, double scale, html_by_process *by);

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
    bool waits;   /* by its name: see nytp_waits_by_name() */
    bool is_eval; /* no sub, but what stacks have for the string evals of its file and first line */
    int64_t file; /* -1: not known */
    uint32_t first_line, last_line, range_count;
    uint64_t calls;
    int64_t incl_ticks, excl_ticks, reci_ticks;
    double asleep_ticks; /* of excl_ticks, by stacks */
    uint32_t arcs;       /* how many lead to it */
} html_sub;

typedef struct html_arc {
    nytp_arc of;  /* with numbers of subs of the report */
    int64_t file; /* number of the file; -1 */
} html_arc;

/* A line or, with levels, a line and the block and sub around it. */
typedef struct html_line_row {
    int64_t file;
    nytp_level at;
    nytp_waited waited; /* of the line's, the share that its ticks have */
} html_line_row;

/* What stacks and lines have in slices of the time. */
typedef struct html_slices {
    nytp_slice_grid grid;
    double end_s;   /* the last moment of any process, since 1970 */
    GArray *stacks; /* nytp_slice_cell: of is a row of stacks */
    GArray *lines;  /* nytp_slice_cell: of is a row of lines */
    GArray *memory; /* nytp_memory_point; it may be empty */
} html_slices;

/* Only in a report that compares profiles (difference.h): all that changed, and the changes of one measure,
 * all time or the work. */
typedef struct html_difference html_difference;
typedef struct html_changes html_changes;

/* The outermost stack of what is left out by --min. */
#define HTML_FOLDED "(less than --min)"

typedef struct html_report {
    nytp_profile *profile;
    nytp_measure measure;
    nytp_memory_about memory; /* what profiles of memory say of themselves */
    nytp_kinds *kinds;        /* of memory; NULL for other profiles */
    GArray *kind_sums;        /* nytp_kind_sum, as kinds */
    bool is_tmon;
    GArray *files;               /* html_file */
    GArray *subs;                /* html_sub */
    GArray *arcs;                /* html_arc, sorted by callee, caller, file and line */
    GArray *stacks;              /* html_stack */
    GArray *line_rows;           /* html_line_row, sorted by file, line, block and sub */
    html_slices *slices;         /* NULL if there are none; writing them may make them longer */
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
    nytp_memory_history *history;   /* of a profile of time; NULL: it has no samples of memory */
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

/* Each returns the number of the sub or file that has the name, or into which an eval of that name was
 * merged; -1: there is none. */
int64_t html_report_find_sub(const html_report *report, nytp_str name);
int64_t html_report_find_file(const html_report *report, nytp_str name);

/* Whose code a sub is: an nytp_origin, or one of the others. Where it is measured, a program waits in xsubs
 * and built-ins that were asleep most of their own time. */
enum { HTML_NATIVE = NYTP_ORIGINS, HTML_WAITING, HTML_UNKNOWN = -1 };
int html_report_sub_origin(const html_report *report, size_t number);

/* What has a colour of its own on all pages: own code, perl's built-ins, and the namespaces of other packages
 * that take most time, in the whole report, whatever part of it is shown. Two more areas are of time alone.
 */
enum {
    HTML_OWN_CODE,
    HTML_BUILT_INS,
    HTML_OTHER_CODE,
    HTML_FIRST_NAMED,
    HTML_NAMED_AREAS = 10,
    HTML_ASLEEP = HTML_FIRST_NAMED + HTML_NAMED_AREAS,
    HTML_QUEUED,
    HTML_AREAS
};

typedef struct html_areas {
    int *of_sub;                   /* by number in the report; below HTML_ASLEEP */
    char *names[HTML_NAMED_AREAS]; /* of the named ones; NULL: no sub is in it */
} html_areas;

html_areas *html_areas_new(const html_report *report);
void html_areas_free(html_areas *areas);

/* The count of calls or, of memory, of blocks; of samples of time the number of those in these ticks instead.
 */
uint64_t html_report_count(const html_report *report, uint64_t count, double ticks);

/* Returns the program that has recorded the profile, or NULL if that is not known. g_free() it. */
char *html_report_collector(const html_report *report);

/* Returns the shown value of an attribute or option, or NULL if there is none. g_free() it. */
char *html_report_setting(const html_report *report, nytp_tag tag, const char *key);
