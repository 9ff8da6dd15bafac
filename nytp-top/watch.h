/* Watches processes or a profile, and shows what is hot until the user has seen enough. */
#pragma once

#include "tables.h"
#include "view.h"

#include <pthread.h>
#include <sys/types.h>

typedef struct top_follow top_follow;

/* Starts to read. tables are changed with lock held. Returns NULL if no thread can be started. */
top_follow *top_follow_new(const char *path, top_tables *tables, pthread_mutex_t *lock);

/* With lock held: whether all was read, and what to say then, "" if the profile is complete. */
bool top_follow_ended(const top_follow *follow, const char **why);

/* With lock held: what was in the file when it was opened is not of the last seconds. Has an effect until all
 * of that was read. */
void top_follow_forget_old(top_follow *follow);

/* With lock held: what is in the file now is not of the last seconds, either. */
void top_follow_fall_behind(top_follow *follow);

/* With lock held: whether it could not be read at all, as what is not a profile. */
bool top_follow_failed(const top_follow *follow);

/* Ends the thread, and waits for it. */
void top_follow_free(top_follow *follow);

typedef struct top_live top_live;

typedef struct top_live_options {
    const char *offsets; /* where tables of layouts are */
    bool children;       /* perls among the descendants are sampled, too */
    bool threads;        /* each interpreter is sampled, not the first one alone */
    bool cpu;            /* only what has a processor, or waits for one */
    double rate_hz;
} top_live_options;

/* options must live as long. */
top_live *top_live_new(const pid_t *pids, int count, const top_live_options *options);
void top_live_free(top_live *live);

/* Looks for processes that are new. Returns how many are sampled. */
size_t top_live_look(top_live *live);

/* What passed until now is nobody's time. */
void top_live_skip(top_live *live);

/* Samples all once; each stack stands for the time since the last one of its process. Processes that ended
 * are left out from then on. Returns how many are left. */
size_t top_live_sample(top_live *live, top_tables *tables);

/* Whether a process that was asked for goes on: it may execute a perl, or start some. */
bool top_live_may_come(const top_live *live);

/* Returns what is sampled, "app.pl (process 4711)" or "app.pl (3 processes)", or NULL if nothing is. The
 * caller must free it. */
char *top_live_name(const top_live *live);

/* Why processes are not sampled that were asked for, or that have a perl of an unknown layout: a sentence or
 * two for each. NULL after the last. Valid until the next look. */
const char *const *top_live_whys(const top_live *live);

/* Fills the tables with the last stack that was sampled, as text. */
void top_live_show_stack(const top_live *live, top_tables *tables);

typedef struct top_options {
    const pid_t *pids;
    int pid_count;
    const char *file;      /* a profile, where there are no pids */
    top_live_options live; /* of pids */
    double delay_s;
    uint32_t batch; /* print so many times to standard output, and end; 0: use the terminal */
    uint32_t rows;  /* of each print */
    top_view view;  /* what is shown first */
} top_options;

/* Returns the exit status after saying what went wrong. */
int top_watch(const top_options *options);
