/* Text and numbers for the static part of a page. */
#pragma once

#include <float.h>
#include <stdio.h>

/* Returns text that is not from a profile, such as the name of an input, in the form that nytp_name_clean()
 * gives to names. The caller must g_free() it. */
char *html_text_clean(const char *text);

/* Like fprintf(), but escapes what is special in HTML in each %s, also for attributes. These are valid UTF-8
 * without control characters. */
void html_put(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the last two parts of an absolute path, within path; others as they are. */
const char *html_short_path(const char *path);

/* Times of samples have no digits below those of the period: at 100 Hz, a sample stands for 10 ms, and times
 * are shown as multiples of 10 ms. Returns such a step in seconds; 0 if hz is 0: times were measured. */
double html_step_s(double sampled_hz);

/* The unit of a table's times: the largest in which the largest of them is at least 1. */
typedef struct html_unit {
    const char *name; /* "s", "ms", "µs" */
    double per_s;
    double step_s; /* 0: all digits are shown */
    int decimals;
} html_unit;

html_unit html_unit_for(double largest_s, double step_s);

/* The unit of a table with one or two columns of times, by the largest of each; 0: no such column. It suits
 * the column with smaller times, unless numbers of the other get too long. */
html_unit html_unit_for_columns(double a_s, double b_s, double step_s);

typedef struct html_number {
    char text[DBL_MAX_10_EXP + 16];
} html_number;

/* "1.23", without the unit, and "1.23 s", in a unit of its own. */
html_number html_in_unit(html_unit unit, double seconds);
html_number html_time(double seconds, double step_s);

/* Colours begin at 0.5 % of all; the steps grow as the square root of the share. 0: no colour. */
enum { HTML_HEAT_STEPS = 8 };
int html_heat_of(double share);
