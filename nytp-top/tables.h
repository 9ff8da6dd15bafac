/* What is counted: subs, lines and packages, how much time they took since the start and in the last
 * seconds, and the stack that was seen last. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TOP_RECENT_S = 5, /* what "the last seconds" are */
    TOP_RING =
        TOP_RECENT_S + 1, /* the second that goes on, and those before it, the oldest of them in part */
    TOP_MOST = 10000,     /* entries; of more, the half with the least time becomes part of TOP_OTHERS */
};

/* The entry of what was dropped. Its own and inclusive times are both the sum of their own times. */
#define TOP_OTHERS "(others)"

/* Which time: all, or that in which the program had a processor, which is known of samples alone. */
enum top_time { TOP_ALL, TOP_WORK, TOP_TIMES };

typedef struct top_counts top_counts;

top_counts *top_counts_new(void);
void top_counts_free(top_counts *counts);

/* From here on what is added is of another second; the oldest one of the last seconds is forgotten. */
void top_counts_next_second(top_counts *counts);

/* How much of the second that goes on has passed, from 0 to 1. As much of the oldest one is not of the last
 * seconds any more, and what was added in it is taken to be spread evenly. */
void top_counts_set_part(top_counts *counts, double part);

/* Adds the time of one stack to the totals. Then come its entries. */
void top_counts_begin_stack(top_counts *counts, const double seconds[TOP_TIMES]);

/* An entry on that stack: it gets the inclusive time once, however often it is there. */
void top_counts_on_stack(top_counts *counts, const char *name);

/* The entry that runs: it gets the time as its own. */
void top_counts_at_work(top_counts *counts, const char *name);

/* Adds times of a call that ended, or of a line. */
void top_counts_add(top_counts *counts, const char *name, double self_s, double incl_s);

/* Adds time as what the entries of another table have measured: of statements to calls, of calls to
 * statements. The larger of the two sums is 100 % (model/whole.h). */
void top_counts_add_whole(top_counts *counts, double seconds);

/* How entries are sorted, and which are taken. */
enum top_sort { TOP_RECENT_SELF, TOP_RECENT_INCL, TOP_SELF, TOP_INCL, TOP_NAME };

/* One line of the table. Shares, from 0 to 1, of the time of the last seconds (recent_*) and of all time. */
typedef struct top_row {
    const char *name;
    double recent_self, recent_incl, self, incl;
    double self_s;
} top_row;

/* All *count rows of that time in that order, for the caller to free with g_free(). filter: only names that
 * contain it, in any case; "": all. Of TOP_WORK, what did none is left out. The names belong to counts. */
top_row *top_counts_rows(const top_counts *counts, enum top_time time, enum top_sort sort, const char *filter,
                         size_t *count);

/* The time so far, and that of the last seconds. */
double top_counts_total_s(const top_counts *counts, enum top_time time);
double top_counts_recent_s(const top_counts *counts, enum top_time time);

/* Calls are "caller -> callee at line", and "sub at line" of the one that runs, which are not known of
 * profiles. */
enum top_by { TOP_SUBS, TOP_LINES, TOP_PACKAGES, TOP_CALLS, TOP_KINDS };
/* Their words. NULL ends them. */
extern const char *const top_kinds[];

#define TOP_ARROW " -> "
#define TOP_AT    " at "

typedef struct top_tables {
    top_counts *of[TOP_KINDS];
    char *stack; /* lines, innermost first; NULL if none was seen */
} top_tables;

void top_tables_init(top_tables *tables);
void top_tables_clear(top_tables *tables);

/* Begins as many new seconds as have passed since *second_ns, when the last one began, and sets that. */
void top_tables_advance(top_tables *tables, int64_t *second_ns, int64_t now_ns);

/* What was added so far is not of the last seconds. */
void top_tables_forget_recent(top_tables *tables);

/* The package of a sub, in room for size bytes. */
void top_package_of(const char *sub, char *to, size_t size);
