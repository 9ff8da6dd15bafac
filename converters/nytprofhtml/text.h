/* Text and numbers for the static part of a page. */
#pragma once

#include "report.h"
#include "export/amount.h"

#include <glib.h>
#include <stdio.h>

/* Returns text that is not from a profile, such as the name of an input, in the form that nytp_name_clean()
 * gives to names. The caller must g_free() it. */
char *html_text_clean(const char *text);

/* Like fprintf(), but escapes what is special in HTML in each %s, also for attributes. These are valid UTF-8
 * without control characters. */
void html_put(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the last two parts of an absolute path, within path; others as they are. */
const char *html_short_path(const char *path);

/* Returns an amount as the page shows it: microseconds have a micro sign there. */
nytp_amount html_shown(nytp_amount amount);

/* Makes the microseconds of a sentence those of the page; programs that write to a terminal have "us". */
void html_use_micro_sign(GString *text);

/* "1.23 s": of the report's measure, and of seconds by the clock. */
nytp_amount html_amount(const html_report *report, double ticks);
nytp_amount html_seconds(double seconds);
