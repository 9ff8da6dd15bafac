/* Single requests, which are spans: a block of its own. */
#pragma once

#include "options.h"
#include "pack.h"
#include "report.h"

/* Adds the block. Returns whether there is one: only if the profile has spans, and was not made of samples,
 * from which no duration of a span is known. */
bool html_requests_add(const html_report *report, const html_options *options, html_pack *pack);
