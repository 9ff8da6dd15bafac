/* Names of subs and files that do not depend on where a program is installed, so that two checkouts, or two
 * machines, have the same ones: paths below a directory of @INC lose that directory, and evals their numbers.
 */
#pragma once

#include "nytprof-model.h"

#include <glib.h>

typedef struct nytp_portable nytp_portable;

/* Takes the directories from the attributes that the collector writes (inc, privlib, ...). A profile without
 * them keeps its paths. */
nytp_portable *nytp_portable_new(const nytp_profile *profile);
void nytp_portable_free(nytp_portable *portable);

/* Returns the name of a file or sub without the directories of @INC that paths in it begin with, and with 0
 * as the number of evals. The caller must g_string_free() it. */
GString *nytp_portable_name(const nytp_portable *portable, nytp_str name);
