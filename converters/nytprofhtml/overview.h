/* The overview as it is without the script: text and plain tables, and what is said of processes in other
 * places, too. */
#pragma once

#include "json.h"
#include "options.h"
#include "report.h"

#include "model/measure.h"

#include <stdio.h>

/* The words of the static part of a page, which depend on what the profile measures. */
typedef struct html_words {
    const char *subs, *lines; /* titles of the tables of what has most */
    const char *amount;       /* head of a column: what was measured */
    const char *calls, *runs; /* heads of columns: what is counted of subs and lines */
    const char *less;         /* follows the number of processes that a table leaves out */
    const char *pictures;     /* what shows one of several runs that are compared */
    const char *medians;      /* what the numbers of a comparison are */
} html_words;

const html_words *html_words_of(const nytp_measure *measure);

/* Writes those of the script, the member "words" of the core block. */
void html_words_write(const nytp_measure *measure, html_json *json);

/* Returns what a sub, or a kind of memory, with that name is, or NULL if the name says it. The caller must
 * g_free() it. */
char *html_explanation_of_sub(nytp_str name);
char *html_explanation_of_kind(nytp_str name);

/* Returns "3 programs: a.t, b.t, c.t", or NULL if all processes ran the same one. The caller must g_free()
 * it. */
char *html_processes_programs(const html_report *report);

typedef struct html_process_time {
    int64_t whole_ticks;  /* what 100 % means, in the ticks of the report */
    int64_t asleep_ticks; /* of that; -1: not known */
    int64_t queued_ticks; /* of that, for a processor; 0 if it was not measured */
    bool is_measured;     /* otherwise subs that wait by their names were asleep */
} html_process_time;

/* Returns how long it worked; -1: not known. */
static inline int64_t html_process_work_ticks(html_process_time time)
{
    return time.asleep_ticks < 0 ? -1 : time.whole_ticks - time.asleep_ticks - time.queued_ticks;
}

/* Returns the time of a process, by its index in the profile. */
html_process_time html_process_ticks(const html_report *report, size_t process);

/* Writes a table, if there are several. */
void html_processes_write(const html_report *report, FILE *out);

/* Writes the columns "pid" and "program" of DATA.md. */
void html_processes_columns(const html_report *report, html_json *json);

/* Returns the name of the program that a process ran, without directories, or NULL if it is not known.
 * g_free() it. */
char *html_process_program(const nytp_process *process);

void html_overview_write(const html_report *report, const html_options *options, FILE *out);

/* The title of the page: of --title, or the program's. g_free() it. */
char *html_overview_title(const html_report *report, const html_options *options);

/* Returns the first finding, the answer to why it is slow; NULL if there is none. g_free() it. */
char *html_findings_headline(const html_report *report);

/* Writes a heading and a sentence for each cause of the difference. */
void html_causes_write(const html_report *report, const html_changes *changes, FILE *out);

/* Returns how much slower or faster NEW is, and what most of that is; NULL if there is no such sentence. The
 * caller must g_free() it. */
char *html_causes_headline(const html_report *report, const html_changes *changes);

/* Writes the first findings; nothing if there is none. */
void html_findings_write(const html_report *report, FILE *out);

/* Plain tables of the subs and lines that take most time themselves, which end the element in which the
 * findings are. The script puts its tables in their place, and a flame graph below. */
void html_tops_write(const html_report *report, FILE *out);
