/* The processes of a profile, and the programs that they ran. */
#pragma once

#include "json.h"
#include "report.h"

#include <stdio.h>

/* Returns "3 programs: a.t, b.t, c.t", or NULL if all processes ran the same one. The caller must g_free()
 * it. */
char *html_processes_programs(const html_report *report);

typedef struct html_process_time {
    int64_t whole_ticks;   /* what 100 % means, in the ticks of the report */
    int64_t waiting_ticks; /* -1: not known */
} html_process_time;

/* Returns when the first process began, in seconds since 1970; INFINITY if there is none. */
double html_processes_first_s(const html_report *report);

/* Returns the time of a process, by its index in the profile. */
html_process_time html_process_ticks(const html_report *report, size_t process);

/* Writes a table, if there are several. */
void html_processes_write(const html_report *report, FILE *out);

/* Writes the columns "pid" and "program" of DATA.md. */
void html_processes_columns(const html_report *report, html_json *json);

/* Returns the name of the program that a process ran, without directories, or NULL if it is not known.
 * g_free() it. */
char *html_process_program(const nytp_process *process);
