/* Finds the spans that filters choose, which takes a reading of its own. */
#pragma once

#include "events/filters.h"
#include "events/spans.h"

/* Reads all profiles of the reader. What is wrong with one ends it here; reading it again reports it. */
nytp_spans *nytp_find_spans(nytp_reader *reader, const nytp_filter_options *options);
