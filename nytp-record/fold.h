/* What becomes of samples: stacks become calls, and those chunks; files have numbers and source; and it is
 * counted how a recording went. */
#pragma once

#include "nytprof.h"

#include "sampler/sampler.h"

#include <stdint.h>
#include <sys/types.h>

typedef struct record_arcs record_arcs;

/* strings stays the caller's. */
record_arcs *record_arcs_new(const nytp_strings *strings);
void record_arcs_free(record_arcs *arcs);

/* Returns how many arcs and places of subs there are: each takes memory. */
size_t record_arcs_count(const record_arcs *arcs);

/* A call that ended: of callee, by caller, at a line of a file. depth: how many calls of callee were around
 * it. */
typedef struct record_ended_call {
    sampler_label caller, callee;
    uint32_t fid, line;
    uint32_t depth;
    double incl_ticks, excl_ticks;
} record_ended_call;
void record_arcs_add(record_arcs *arcs, const record_ended_call *call);

/* A sub that was seen at work at a line of the file that it begins in; an xsub or built-in has first_line 0.
 */
void record_arcs_seen(record_arcs *arcs, sampler_label sub, uint32_t fid, uint32_t first_line, uint32_t line);

/* Writes SUB_INFO for subs that have none yet, and SUB_CALLERS for what was added since the last time. */
void record_arcs_write(record_arcs *arcs, nytp_writer *writer, double ticks_per_sec);

typedef struct record_sources record_sources;

typedef struct record_source_counts {
    uint64_t newer;  /* files that were changed after the program began */
    uint64_t hidden; /* those of them whose source is left out: a sub does not begin where it runs */
} record_source_counts;

/* Chunks go to writer, which stays the caller's, as target does. wanted: whether source is read. */
record_sources *record_sources_new(nytp_writer *writer, const sampler_target *target, bool wanted);
void record_sources_free(record_sources *sources); /* NULL is fine */

/* The process executes another program. */
void record_sources_renew(record_sources *sources, const sampler_target *target);

/* Returns the name of a file in the profile, which the caller must free. */
char *record_sources_name(const record_sources *sources, const char *name);

/* Opens a file that the profile gets a NEW_FID for: *new_fid gets its size and time. Then
 * record_sources_add() writes its lines. If the file was changed after the program began, they are kept until
 * record_sources_conclude(), because subs may show that the program has another text. */
void record_sources_find(record_sources *sources, const char *name, nytp_chunk *new_fid);
void record_sources_add(record_sources *sources, uint32_t fid);

/* A sub begins at a line of a file. */
void record_sources_see_sub(record_sources *sources, uint32_t fid, const char *sub, uint32_t line);

void record_sources_conclude(record_sources *sources);
record_source_counts record_sources_counts(const record_sources *sources);

/* Whether programs may read the files that the profile names, because they are those of this system. */
bool record_sources_are_here(const record_sources *sources);

/* The files of a profile: numbers, fids, for the names that a perl has for them. String evals are named by
 * where they are done. */

typedef struct record_files record_files;

/* sources has the names and texts of files. If it is NULL, names are those that perl has, and no text is
 * written. evals names string evals. Chunks go to writer. All stay the caller's. */
record_files *record_files_new(nytp_writer *writer, sampler_evals *evals, record_sources *sources);
void record_files_free(record_files *files);

/* Returns the fid of a file by the number of its name in strings, after a NEW_FID if it is new. 0 for
 * SAMPLER_NO_STRING. */
uint32_t record_files_fid(record_files *files, const nytp_strings *strings, uint32_t name);

/* Returns the fid that stands for places which could not be found out. */
uint32_t record_files_unknown(record_files *files);

/* Forgets numbers of names: they are those of other strings from now on. */
void record_files_renumber(record_files *files);

enum { RECORD_LOSSES = 3 };

/* What a process has lost. */
typedef struct record_loss {
    pid_t pid;
    double lost_s;
} record_loss;

typedef struct record_counts {
    uint64_t samples, torn, idle;   /* idle: not running, with --cpu */
    uint64_t cut;                   /* samples whose outer calls are left out */
    double state_s[SAMPLER_STATES]; /* what the threads did, as far as it is known */
    double missed_s;                /* of running, what no sample saw */
    double lost_s;                  /* time without samples: the sampler came too late */
    double cpu_s;                   /* processor time of the process; negative: not known */
    double life_cpu_s;              /* the same since it was started, at the last sample */
    double children_cpu_s;          /* processor time of children that it has waited for meanwhile */
    double unseen_cpu_s;            /* of a recording: processor time of children that no sample saw */
    double until_s;                 /* until when all that is counted, in seconds since 1970 */
    record_source_counts sources;
    record_loss worst[RECORD_LOSSES]; /* the processes that have lost most; 0: none */
    size_t losers;                    /* how many have lost something */
} record_counts;

/* Adds those of another process. The sum has no processor time. */
void record_counts_add(record_counts *sum, const record_counts *more);

/* Returns what was counted of one process between two moments. Sources are counted anew in each profile. */
record_counts record_counts_between(const record_counts *before, const record_counts *after);

/* Notes what a process has lost, if that is something. */
void record_counts_lose(record_counts *counts, pid_t pid, double lost_s);

/* Returns the share of all time in which the program ran while no sample saw it run, if that is to be said:
 * if it is more than 2 %, more than a tenth of the time in which it ran, and more than chance explains.
 * Otherwise 0. */
double record_counts_missed(const record_counts *counts);

typedef struct record_fold record_fold;

/* strings is what stacks refer to. sources has the names and texts of files, and may be NULL. Chunks go to
 * writer, whose errors stick to it. All stay the caller's. */
record_fold *record_fold_new(nytp_writer *writer, const nytp_strings *strings, record_sources *sources);
void record_fold_free(record_fold *fold);

/* How the time of the next stack divides: running, waiting for a processor, sleeping. */
void record_fold_state(record_fold *fold, const double state_s[SAMPLER_STATES]);

/* A stack, and the time that it stands for. */
void record_fold_add(record_fold *fold, const sampler_stack *stack, double ticks);

/* How much memory the process has, in bytes, after the stacks so far, and how many values its perl has; 0:
 * not known. */
void record_fold_memory(record_fold *fold, uint64_t rss_bytes, uint64_t values);

/* The next stack is of another program that the process executes: all calls return. */
void record_fold_end_program(record_fold *fold);

/* The next stack refers to other strings, in which names may have other numbers. Calls go on. */
void record_fold_renumber(record_fold *fold, const nytp_strings *strings);

/* Returns from all calls, and writes what the end of a profile has for what came since the last time. */
void record_fold_conclude(record_fold *fold);
