/* Reads a profile for its filters, before the program reads it. */
#pragma once

#include "events/filters.h"

/* Finds what filters need to know of the whole source, and sets it in them. Returns the source, to be read
 * from its first byte, or NULL after saying why not. Takes ownership of the source. */
nytp_source *nytp_prepare_filters(nytp_source *source, nytp_filter_options *filters);
