/* libnytprof: sum up Perl profiles, which nytprof.h reads.
 *
 * What a profile says of files, lines, subs and calls:
 *
 *   1. nytp_profile_new(), and what it shall keep: nytp_profile_keep_levels(),
 *      nytp_profile_on_source().
 *   2. Make a reader as nytprof.h says. It need not deliver more than this:
 *      nytp_reader_set_tags(reader, nytp_profile_tags()).
 *   3. nytp_profile_read() until it returns something other than NYTP_OK, with the
 *      meaning that nytp_reader_next() gives it.
 *   4. nytp_profile_merge_evals(), unless each run of a string eval is to stay a file
 *      of its own.
 *   5. Ask: nytp_profile_file(), _next_line(), _sub(), _arc() and so on.
 *   6. nytp_profile_free().
 *
 * All distinct stacks:
 *
 *   7. nytp_calltree_new(), then as above with nytp_calltree_tags(), _read() and
 *      _end_profile().
 *   8. nytp_calltree_walk(), and nytp_calltree_free().
 *
 * What changed between two profiles, or several of each:
 *
 *   9. nytp_comparison_new(), nytp_comparison_add() for each profile that was read as
 *      above, nytp_comparison_get(), and nytp_comparison_free().
 *
 * These functions use GLib inside. THEY END THE PROCESS WHEN MEMORY IS EXHAUSTED, where
 * those of nytprof.h return an error. Memory grows with what is distinct, not with
 * events. Nothing here prints, except what GLib says before it ends the process.
 *
 * Use a handle from one thread at a time; different handles are independent. That holds
 * for functions that take a const handle, too: some sort what was added since the last
 * call. What is said about structs in nytprof.h holds here.
 *
 * doc/glossary.md in the sources has the words: fid, tick, arc, exclusive time.
 */
#ifndef NYTPROF_MODEL_H
#define NYTPROF_MODEL_H

#include "nytprof.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined __GNUC__
#pragma GCC visibility push(default)
#endif

/* call tree */

/* All calls, with one node for each distinct stack. Memory grows with the number of distinct stacks, not of
 * calls.
 *
 *     nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
 *     nytp_reader_set_tags(reader, nytp_calltree_tags(tree));
 *     while ((rc = nytp_calltree_read(tree, reader)) == NYTP_OK) {
 *     }
 *     nytp_calltree_end_profile(tree);
 *     ... the same for more profiles, or:
 *     nytp_calltree_walk(tree, print_call, NULL);
 */
typedef struct nytp_calltree nytp_calltree;

/* Returns the name to show for a sub, as bytes from malloc(), which the tree frees, and sets *length to their
 * number. Called once for each distinct raw name. Subs with the same shown name become one. */
typedef char *nytp_rename_fn(void *context, nytp_str raw, size_t *length);

/* Names are shown as they are if rename is NULL. */
nytp_calltree *nytp_calltree_new(nytp_rename_fn *rename, void *context);
void nytp_calltree_free(nytp_calltree *tree); /* NULL is fine */

/* Makes main::RUNTIME the caller of all calls from outside, so that it is the root of all stacks. It has one
 * call for each process. Its exclusive time is that of the code outside of all subs: the time of all
 * statements less the exclusive time of all calls; 0 for a profile without statements, such as a tmon.out.
 * Where calls took more than statements, it is less than 0.
 * Returns 0; NYTP_ERR_STATE after the first call or process. */
int nytp_calltree_show_root(nytp_calltree *tree);

/* The tags that the tree needs, for nytp_reader_set_tags(): those of calls and, if it shows a root, those of
 * statements. NULL stands for a tree without a root. */
uint32_t nytp_calltree_tags(const nytp_calltree *tree);

/* Reads some thousands of chunks into the tree, faster than a loop over nytp_reader_next(). Returns NYTP_OK
 * if it must be called again, otherwise what nytp_reader_next() returned at the end. */
int nytp_calltree_read(nytp_calltree *tree, nytp_reader *reader);

/* Adds one chunk. A chunk whose tag is not in nytp_calltree_tags() is ignored. A sub that returns at depth d
 * becomes the caller of the calls that have returned at depth d + 1 and have no caller yet. */
void nytp_calltree_add(nytp_calltree *tree, const nytp_chunk *chunk);

/* Call it after each profile. Calls whose callers have not returned then count as called from outside. */
void nytp_calltree_end_profile(nytp_calltree *tree);

/* The ticks of the tree, to which those of every profile are converted: by default those of the first
 * profile. Returns 0; NYTP_ERR_STATE after the first call or process; NYTP_ERR_ARGUMENT if it is not a number
 * from 1e-9 to 1e18. */
int nytp_calltree_set_ticks_per_sec(nytp_calltree *tree, double ticks_per_sec);
double nytp_calltree_ticks_per_sec(const nytp_calltree *tree);

typedef struct nytp_call {
    uint32_t sub;      /* number of the shown name, counted from 0 */
    uint32_t depth;    /* 0: called from outside of all profiled subs */
    nytp_str name;     /* as shown */
    uint64_t calls;    /* of a profile made of samples: samples without those of the nodes below it */
    double excl_ticks; /* ticks of the tree */
    double incl_ticks; /* of the node and all nodes below it */
    bool has_children;
} nytp_call;

/* Called for a node before its children, which are left out if it returns false. */
typedef bool nytp_call_fn(void *context, const nytp_call *call);

/* Ends the profile, then calls visit for all nodes, depth first, siblings in byte order of their names. */
void nytp_calltree_walk(nytp_calltree *tree, nytp_call_fn *visit, void *context);

/* Folds nodes with less inclusive time than min_ticks (ticks of the tree), and nodes deeper than max_depth
 * (1: only calls from outside are left), into their callers, so that sums do not change. Calls from outside
 * are folded into one call of the name `other`. */
void nytp_calltree_prune(nytp_calltree *tree, double min_ticks, uint32_t max_depth, const char *other);

/* Returns a new tree with each stack reversed, callee first; the caller frees it. Calls and exclusive time of
 * a stack are those of its last node: its outermost caller, or the last one within max_depth (1: there are no
 * callers). */
nytp_calltree *nytp_calltree_reverse(nytp_calltree *tree, uint32_t max_depth);

/* Sets how many calls were added, and the time that is 100 % (model/whole.h). */
void nytp_calltree_totals(const nytp_calltree *tree, uint64_t *calls, double *whole_ticks);

/* How many distinct stacks there are, and how many distinct shown names. */
void nytp_calltree_size(const nytp_calltree *tree, size_t *stacks, size_t *subs);

/* profile */

/* A profile summed up: files, statements by line, subs, and arcs from caller to callee. Memory grows with
 * what is distinct, not with events.
 *
 *     nytp_profile *profile = nytp_profile_new();
 *     nytp_reader_set_tags(reader, nytp_profile_tags());
 *     while ((rc = nytp_profile_read(profile, reader)) == NYTP_OK) {
 *     }
 *     if (rc < 0)
 *         ... nytp_reader_error(reader); the profile has what came before
 *     nytp_profile_merge_evals(profile);
 *
 * Times are in ticks; nytp_profile_ticks_per_sec() of them are a second. The stream has times of arcs in
 * seconds; here they are the whole ticks that were measured. Times can be negative, because clocks step back.
 *
 * The profile owns everything that the functions below return, strings included. It is valid until something
 * is added to the profile, its evals are merged, or it is freed. */
typedef struct nytp_profile nytp_profile;

nytp_profile *nytp_profile_new(void);
void nytp_profile_free(nytp_profile *profile); /* NULL is fine */

/* The tags that the profile needs, for nytp_reader_set_tags(). */
uint32_t nytp_profile_tags(void);

/* Reads some thousands of chunks into the profile, faster than a loop over nytp_reader_next(). Returns
 * NYTP_OK if it must be called again, otherwise what nytp_reader_next() returned at the end. */
int nytp_profile_read(nytp_profile *profile, nytp_reader *reader);

/* Like nytp_profile_read(), into a profile and a call tree at once; the reader must want the tags of both. */
int nytp_profile_read_with_calls(nytp_profile *profile, nytp_calltree *tree, nytp_reader *reader);

/* Adds one chunk. A chunk whose tag is not in nytp_profile_tags() is ignored. */
void nytp_profile_add(nytp_profile *profile, const nytp_chunk *chunk);

/* Merges the string evals that were called at the same line and have the same text into one file. If a line
 * called evals with more than 200 different texts, all of them are merged. Evals within evals are treated in
 * the same way. The first eval stays, with the lines and subs of all. If no other eval of its line is left,
 * it is renamed "(eval 0)[t.pl:26]". Its name replaces those of the others in names of subs, and subs whose
 * names become the same become one. Call it when all chunks were added. Numbers of subs and indexes of arcs
 * change. */
void nytp_profile_merge_evals(nytp_profile *profile);

/* Adds a profile to a sum. The sum is the same profile as nytprofmerge would write for all the profiles that
 * were added. Files with the same name become one. Each run of a string eval stays a file of its own, but a
 * sub that several evals of one line define is in the first of them, with its statements. So the sum has fids
 * of its own. Numbers of subs and indexes of arcs may change.
 *
 *     nytp_profile *sum = nytp_profile_new();
 *     for (each path) {
 *         nytp_profile *one = nytp_profile_new();
 *         ...; read it
 *         nytp_profile_add_profile(sum, one, NULL);
 *         nytp_profile_free(one);
 *     }
 *     nytp_profile_merge_evals(sum);
 *
 * The sum has the most ticks per second of all profiles, and times of the others are rounded to its ticks. If
 * values of a setting differ, it has the first one, with these exceptions: basetime is the earliest,
 * cumulative_overhead_ticks is the sum, application lists all of them, and the directories are those of all.
 * A call tree needs no such function, because it can read several profiles.
 *
 * Returns 0. Returns NYTP_ERR_STATE, and adds nothing, if the two are the same, if the sum has chunks that
 * were added one by one, or if nytp_profile_merge_evals() was called for one of the two. *error (error may be
 * NULL) says which of them. */
int nytp_profile_add_profile(nytp_profile *sum, const nytp_profile *added, nytp_error *error);

/* For data that are kept outside of profiles: returns the fid of the sum that has that line of a file of the
 * last profile that was added. With line 0 it returns the fid of the file itself, which keeps the source
 * text. Returns 0 if the profile had no such fid. */
uint32_t nytp_profile_added_fid(const nytp_profile *sum, uint32_t fid, uint32_t line);

double nytp_profile_ticks_per_sec(const nytp_profile *profile);

/* Attributes and options in order of first sight, each key once, with its last value. */
typedef struct nytp_setting {
    nytp_tag tag; /* NYTP_ATTRIBUTE or NYTP_OPTION */
    nytp_str key, value;
} nytp_setting;

size_t nytp_profile_setting_count(const nytp_profile *profile);
const nytp_setting *nytp_profile_setting(const nytp_profile *profile, size_t index); /* NULL: no such index */
const nytp_setting *nytp_profile_setting_by_key(const nytp_profile *profile, nytp_tag tag,
                                                const char *key); /* NULL: no such key */

typedef struct nytp_process {
    uint32_t pid, parent;
    double start_s, end_s; /* since 1970 */
    bool ended;            /* false: there was no PID_END; end_s is 0 */
    nytp_str application;  /* the program that it ran; empty: not known */
    double cpu_s;          /* processor time that it took while it was recorded; negative: not known */
    bool is_cut;           /* it had no PID_END when it was merged; end_s is that of its last statement */
    double wait_s;         /* that it waited for a processor while others ran; negative: not known */
    double lost_s;         /* without a sample; 0 if it was not sampled */
} nytp_process;

/* Processes are numbered from 0 in the order in which they started. */
size_t nytp_profile_process_count(const nytp_profile *profile);
const nytp_process *nytp_profile_process(const nytp_profile *profile, size_t index); /* NULL: no such index */

/* Files are numbered from 0 in order of first sight, besides the fids that the stream has for them. */
typedef struct nytp_file {
    uint32_t fid, number;
    nytp_str name;                /* empty: the stream never named it */
    uint32_t eval_fid, eval_line; /* of a string eval: where it was called; else 0 */
    uint32_t flags;               /* enum nytp_fid_flag */
    uint32_t size_bytes, mtime_s;
    uint64_t source_bytes, source_hash; /* of a string eval's text, if that was saved; else 0 */
    uint32_t merged_into; /* after nytp_profile_merge_evals(): fid of the eval that has its lines
                           * and subs now; else 0 */
} nytp_file;

size_t nytp_profile_file_count(const nytp_profile *profile);
const nytp_file *nytp_profile_file(const nytp_profile *profile, size_t number); /* NULL: no such number */
const nytp_file *nytp_profile_file_by_fid(const nytp_profile *profile, uint32_t fid); /* NULL: no such fid */

/* The file with that fid, or the eval that it was merged into; NULL: no such fid. */
const nytp_file *nytp_profile_merged_file(const nytp_profile *profile, uint32_t fid);

/* What the statement profiler saw at a line. */
typedef struct nytp_line {
    uint32_t line;
    uint64_t count; /* statements executed */
    int64_t ticks;
    uint64_t reserved[3];
} nytp_line;

/* Sets *line to the first line of the file that ran, at or after *from, and *from to the line after it.
 * Returns false if there is none.
 *
 *     for (uint64_t from = 0; nytp_profile_next_line(profile, fid, &from, &line);)
 */
bool nytp_profile_next_line(const nytp_profile *profile, uint32_t fid, uint64_t *from, nytp_line *line);

/* With blocks=1 the profiler records for each statement where the innermost block and the sub around it
 * begin. A profile that keeps levels has a record for each combination of a line, its block and its sub,
 * numbered from 0 in order of first sight. nytp_profile_keep_levels() returns 0; NYTP_ERR_STATE when the
 * profile has something already. */
typedef struct nytp_level {
    uint32_t fid, line;
    uint32_t block_line, sub_line;
    uint64_t count; /* statements executed */
    int64_t ticks;
} nytp_level;

int nytp_profile_keep_levels(nytp_profile *profile);
size_t nytp_profile_level_count(const nytp_profile *profile);
const nytp_level *nytp_profile_level(const nytp_profile *profile, size_t index); /* NULL: no such index */

/* Calls on_line for each line of source text as it is added, since the profile does not keep text. The string
 * is valid during the call. Returns 0; NYTP_ERR_STATE when the profile has something already. */
typedef void nytp_source_line_fn(void *context, uint32_t fid, uint32_t line, nytp_str text);
int nytp_profile_on_source(nytp_profile *profile, nytp_source_line_fn *on_line, void *context);

/* Subs are numbered from 0, too. Among them are main::RUNTIME and main::NULL, the callers of calls from
 * outside of all profiled subs. */
enum nytp_sub_kind {
    NYTP_SUB_PERL,
    NYTP_SUB_XSUB,
    NYTP_SUB_OPCODE /* a built-in: main::CORE:print */
};

/* Where a sub is. A sub that several string evals define is in several places. */
typedef struct nytp_range {
    uint32_t fid;
    uint32_t first_line, last_line; /* both 0: an xsub or built-in of a package in that file */
} nytp_range;

typedef struct nytp_sub {
    nytp_str name;
    enum nytp_sub_kind kind;
    size_t range_count;       /* 0: the profile does not say where it is */
    const nytp_range *ranges; /* sorted; those with lines come first */
    uint64_t reserved[4];
} nytp_sub;

size_t nytp_profile_sub_count(const nytp_profile *profile);
bool nytp_profile_sub(const nytp_profile *profile, size_t number, nytp_sub *sub); /* false: no such number */

/* Returns where a sub is, in the first eval if several define it; NULL if the profile does not say. */
const nytp_range *nytp_sub_main_range(const nytp_sub *sub);

/* Whether it is main::RUNTIME or main::NULL. These stand for code outside of all subs, and nothing calls
 * them. */
bool nytp_sub_is_root(const nytp_sub *sub);

/* Sets *label to the parts of the name of a sub, which point into it. Returns false if the profile does not
 * say that such names have labels; base is then the whole name. */
bool nytp_sub_label(const nytp_profile *profile, nytp_str name, nytp_label *label);

/* Returns a name in the form to show: valid UTF-8, on one line. Bytes that are not UTF-8 are taken for
 * Latin-1; control characters, those of writing direction, and a blank at the start become escapes. Blanks at
 * the end are left out. The caller must free() it. */
char *nytp_name_clean(nytp_str name);

/* All calls of a sub from one place by one caller. */
typedef struct nytp_arc {
    uint32_t caller, callee; /* numbers of subs */
    uint32_t fid, line;      /* of the call */
    uint64_t count;
    int64_t incl_ticks; /* inclusive time of outermost calls, which are not within another call of the sub */
    int64_t excl_ticks; /* exclusive time of all calls */
    int64_t reci_ticks; /* inclusive time of the calls that are within another call of the sub */
    uint32_t max_depth; /* of recursion; 0: there was none */
    bool lacks_kept;    /* kept_values and own_kept_values are not known */
    /* How many of perl's values the calls left behind: the values made in them less the values freed in them.
     * Inclusive ones are those of outermost calls, as with times. */
    int64_t kept_values, own_kept_values;
} nytp_arc;

size_t nytp_profile_arc_count(const nytp_profile *profile);
const nytp_arc *nytp_profile_arc(const nytp_profile *profile, size_t index); /* NULL: no such index */

/* Sums over all lines and all arcs. */
typedef struct nytp_totals {
    uint64_t statements, calls;
    int64_t statement_ticks, excl_ticks;
    int64_t whole_ticks; /* the time that 100 % stands for: the larger of the two */
    uint64_t reserved[3];
} nytp_totals;

nytp_totals nytp_profile_totals(const nytp_profile *profile);

/* comparison */

/* Two sets of profiles side by side: what changed from OLD to NEW, and whether by more than chance.
 *
 *     nytp_comparison *c = nytp_comparison_new();
 *     for (each profile) {
 *         ...; read it, and nytp_profile_merge_evals(profile)
 *         nytp_comparison_add(c, side, profile, NULL, NULL);
 *         nytp_profile_free(profile);
 *     }
 *     for (size_t i = 0; i < nytp_comparison_count(c, NYTP_COMPARE_SUBS); i++)
 *         nytp_comparison_get(c, NYTP_COMPARE_SUBS, i, NYTP_FIGURE_EXCL, &change);
 */
enum nytp_side { NYTP_OLD, NYTP_NEW, NYTP_SIDES };

/* What is compared. */
enum nytp_compared {
    NYTP_COMPARE_SUBS,
    NYTP_COMPARE_LINES,
    NYTP_COMPARE_FILES,
    NYTP_COMPARE_PACKAGES,
    NYTP_COMPARE_STACKS,
    NYTP_COMPARE_CALLS,  /* of a sub by a sub; code outside of subs is one caller */
    NYTP_COMPARE_PLACES, /* of a sub by a sub from a line */
    NYTP_COMPARE_LABELS, /* all calls with a label, such as a query; there are none without stacks */
    NYTP_COMPARE_KINDS,  /* of memory: strings, arrays and so on */
    NYTP_COMPARED_KINDS
};

/* By which of their numbers. */
enum nytp_figure {
    NYTP_FIGURE_EXCL,     /* exclusive time; of lines and files, the time of their statements */
    NYTP_FIGURE_INCL,     /* inclusive time; not of lines, files and packages */
    NYTP_FIGURE_COUNT,    /* calls; of lines and files, statements; of labels, runs; of samples, samples */
    NYTP_FIGURE_PER_COUNT /* exclusive time for each of them */
};

typedef struct nytp_comparison nytp_comparison;

nytp_comparison *nytp_comparison_new(void);
void nytp_comparison_free(nytp_comparison *comparison); /* NULL is fine */

/* The source text of a profile, as hashes of its lines, for nytp_comparison_add(). nytp_source_text_add() is
 * a nytp_source_line_fn, whose context is the text: nytp_profile_on_source(profile, nytp_source_text_add,
 * text). It leaves out lines that do not follow the last one of their file. */
typedef struct nytp_source_text nytp_source_text;

nytp_source_text *nytp_source_text_new(void);
void nytp_source_text_free(nytp_source_text *text); /* NULL is fine */
void nytp_source_text_add(void *text, uint32_t fid, uint32_t line, nytp_str bytes);

/* Adds a run of the program to a side. Evals must be merged (nytp_profile_merge_evals()). All can be freed
 * afterwards.
 *
 * Names are compared without the directories of @INC, as far as the profile has those, and without numbers
 * of evals. stacks is a tree of the same calls; without it, NULL, there are no stacks and labels to compare.
 * text is the profile's source text: if both sides have that of a file, lines that moved are the same.
 * Without it, NULL, lines are the same if their numbers are. The first run of a side that has the text of a
 * file decides. */
void nytp_comparison_add(nytp_comparison *comparison, enum nytp_side side, const nytp_profile *profile,
                         nytp_calltree *stacks, const nytp_source_text *text);

size_t nytp_comparison_runs(const nytp_comparison *comparison, enum nytp_side side);

/* Whether some profiles are made of samples. Then times are shares of the run's time, from 0 to 1, since a
 * recording may have begun and ended anywhere. */
bool nytp_comparison_is_by_share(const nytp_comparison *comparison);

/* Whether some profiles are made of samples, and others are not. */
bool nytp_comparison_is_mixed(const nytp_comparison *comparison);

/* How sure a difference is. */
enum nytp_verdict {
    NYTP_VERDICT_NONE,     /* there is no difference */
    NYTP_VERDICT_EXACT,    /* all runs of a side have the same number */
    NYTP_VERDICT_MORE,     /* more than chance: p is below 0.05 */
    NYTP_VERDICT_CHANCE,   /* chance can explain it */
    NYTP_VERDICT_UNTESTED, /* there are fewer than four runs of a side, or too small a share of the time */
};

typedef struct nytp_change {
    nytp_str name; /* NEW's, or OLD's if it is gone; valid until the next call */
    bool is_in[NYTP_SIDES];
    bool is_sum; /* of rows that could not be matched, which are rows of their own, too */
    double median[NYTP_SIDES];
    double spread[NYTP_SIDES]; /* half of the range of the middle half of the runs; of samples, the standard
                                  error */
    double difference;         /* of the medians */
    double p;                  /* of the test; 1 if there was none */
    enum nytp_verdict verdict;
    uint32_t line[NYTP_SIDES]; /* of a line or place: its number in each side; else 0 */
    /* What calls, places and lines consist of: indexes of subs and of a file, as nytp_comparison_get() takes
     * them. SIZE_MAX: none, as the caller outside of subs. */
    size_t caller, callee, file;
    uint64_t reserved[1];
} nytp_change;

/* How many there are of a kind on either side. Both sides must have runs. */
size_t nytp_comparison_count(nytp_comparison *comparison, enum nytp_compared kind);

/* Sets *change to what changed of one of them. index is below nytp_comparison_count(). */
void nytp_comparison_get(nytp_comparison *comparison, enum nytp_compared kind, size_t index,
                         enum nytp_figure figure, nytp_change *change);

/* Returns the index of a sub, file or line of a profile that was added: number is that of the sub or file in
 * the profile; line matters for lines alone. run counts the runs of that side from 0. Returns SIZE_MAX if the
 * run has nothing of it to compare: a sub without calls, a line that did not run. */
size_t nytp_comparison_find(nytp_comparison *comparison, enum nytp_compared kind, enum nytp_side side,
                            size_t run, uint32_t number, uint32_t line);

/* nytp_comparison_get() for the whole program. */
void nytp_comparison_whole(nytp_comparison *comparison, enum nytp_figure figure, nytp_change *change);

#if defined __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
