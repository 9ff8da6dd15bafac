/* How much of the time of calls is before each of the ends that their caller contains (within.h). */
#pragma once

#include <glib.h>

/* Adds time to that before the end with that index. *all is NULL if there never was any. */
void nytp_before_end_add(GArray **all, guint end, double ticks);

/* Returns the time before an end; 0 if there is none. *i is where that of an earlier end was, at first 0. */
double nytp_before_end(const GArray *all, guint end, guint *i);
