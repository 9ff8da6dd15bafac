/* The rules, and what they share: the profile, and the list to which they add. */
#pragma once

#include "calls/process_times.h"
#include "findings/findings.h"
#include "model/measure.h"
#include "model/origin.h"
#include "model/waits.h"

#include <glib.h>

/* What stacks say of a sub, in ticks of the profile. */
typedef struct nytp_sub_time {
    double ticks, waited; /* of ticks: asleep or queued */
} nytp_sub_time;

typedef struct nytp_finder {
    const nytp_profile *profile;
    nytp_totals totals;
    nytp_measure measure;
    double whole_ticks, work_ticks; /* the time that is 100 %, and the work */
    const char *memory;             /* what the profile is of, such as "live memory"; NULL: time */
    bool no_waits;                  /* waiting is not a finding */
    nytp_portable *portable;
    nytp_origins *origins;
    GHashTable *numbers;       /* of the profile's subs, by name: GBytes to number + 1 */
    nytp_sub_time *incl, *own; /* by sub: of outermost calls, and of the sub itself; NULL: not known */
    nytp_records line_waits;   /* nytp_line_waited */
    bool knows_stacks;         /* and so the arcs by which the program waited: */
    nytp_records wait_arcs;
    GStringChunk *subjects; /* of findings, that are made of names */
    uint32_t most_sub;      /* the sub with most work of its own, */
    double most_ticks;      /* and how much that is; 0: there is none */
    GArray *found;          /* nytp_finding; owns the texts */
} nytp_finder;

/* What a sentence is about. subject: how it begins, with a blank after it; NULL: with the place. */
typedef struct nytp_found_place {
    const char *subject;
    uint32_t sub, fid, line;
} nytp_found_place;

/* Adds a finding if it concerns at least 2 % of the work or, if it is about waiting, of all time. format is
 * the sentence after its subject. It ends with the time and its share. ticks: of work, unless it is about
 * waiting. */
void nytp_find(nytp_finder *f, enum nytp_rule rule, double ticks, nytp_found_place place, const char *format,
               ...) G_GNUC_PRINTF(5, 6);

/* Adds a finding about a span that leaves values, which are a share of those of a process, if that is at
 * least 2 %. The sentence is the span's name, what is said of it, and the share. */
void nytp_find_growing(nytp_finder *f, uint32_t sub, double values, double share, uint32_t pid,
                       const char *span, const char *said);

/* The number of a sub in the profile; UINT32_MAX: it has none of that name. */
uint32_t nytp_found_number(const nytp_finder *f, nytp_str name);

/* Whether a sub is the program's own code. */
bool nytp_found_is_own(const nytp_finder *f, nytp_str name);

/* Names as sentences show them. The caller must g_free() them. */
char *nytp_found_name(const nytp_finder *f, nytp_str name);
char *nytp_found_file(const nytp_finder *f, uint32_t fid); /* below @INC */

/* Learns how long the program waited: by line and, from the stacks (NULL: not known), by sub. Sets
 * work_ticks. */
void nytp_find_waits(nytp_finder *finder, nytp_calltree *stacks);
void nytp_finder_free_waits(nytp_finder *finder);

/* The program wanted to run, and others had the processors. */
void nytp_find_busy_machine(nytp_finder *finder);

/* Returns how long a line was asleep and queued. */
nytp_waited nytp_found_waits_at(const nytp_finder *f, uint32_t fid, uint32_t line);

/* Returns how long calls were asleep themselves, as far as stacks say it or, without them, their name. */
double nytp_found_asleep(const nytp_finder *f, const nytp_arc *arc, nytp_str callee);

/* Returns a time of calls of a sub, which is a part of its inclusive time, without what it waited in them. */
double nytp_found_work(const nytp_finder *f, uint32_t sub, double ticks);

/* Returns the exclusive time of calls without what they waited in it. */
double nytp_found_own_work(const nytp_finder *f, const nytp_arc *arc, nytp_str callee);

/* Whether the sub that waits only does so until there is something to do: by its name, or since no code of
 * the program's own is around it. */
bool nytp_found_idles(const nytp_finder *f, const nytp_arc *arc, nytp_str callee);

void nytp_find_in_calls(nytp_finder *finder);

/* That nothing which was found, and no sub, has 5 % of the work. To be called after the other rules. */
void nytp_find_even_work(nytp_finder *finder);

/* Of the processes that one started: the last to end, if it works much longer than the others do, and alone.
 */
void nytp_find_slow_process(nytp_finder *finder, const nytp_process_times *times);

void nytp_find_in_lines(nytp_finder *finder);
void nytp_find_profiler(nytp_finder *finder);

/* A module is not used if no sub of its file is called but by the BEGIN block that loads it; import(),
 * unimport() and VERSION() do not count. Which block loads a file is known if the file has BEGIN blocks of
 * its own, which run below it. */
void nytp_find_unused_modules(nytp_finder *finder, nytp_calltree *stacks);

/* The first call of a sub that takes much longer than the others, such as one that loads modules or fills a
 * cache; not one in which an event loop runs, or a forked process. */
void nytp_find_first_calls(nytp_finder *finder, nytp_calltree *stacks, const nytp_sub_durations *durations);

/* One query for each row of another (N+1) could be a single one, such as a join. */
void nytp_find_repeated_queries(nytp_finder *finder, nytp_calltree *stacks);

/* A span, such as the requests of a route, that takes half of the work. Returns whether the work of the
 * program is that of spans. */
bool nytp_find_heavy_spans(nytp_finder *finder, nytp_calltree *stacks);

/* The largest of the subs at which the work forks, and the work of loading modules. */
void nytp_find_heavy_subs(nytp_finder *finder, nytp_calltree *stacks);

/* Spans that leave values each time. */
void nytp_find_growth(nytp_finder *finder, nytp_growth *growth);

/* Where much of the memory is: compiled code, by file; a sub that has much; arenas, which say little of who
 * holds the values. sums: nytp_kinds_by_sub(). */
void nytp_find_in_memory(nytp_finder *finder, const nytp_kinds *kinds, const GArray *sums);
