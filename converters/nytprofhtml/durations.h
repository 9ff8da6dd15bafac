/* How long the calls of subs took, for the pages of subs: a block of its own. */
#pragma once

#include "pack.h"
#include "report.h"

/* Subs with fewer calls have no row. */
enum { HTML_LEAST_CALLS = 5 };

/* Adds the block. Returns whether there is one: of some profiles, it is not known how long calls took. */
bool html_durations_add(const html_report *report, html_pack *pack);
