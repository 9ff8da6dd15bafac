/* Reading ahead on a thread. */
#pragma once

#include "nytprof.h"

/* Returns a source of the same bytes as inner, which a thread reads ahead. Takes ownership of inner. Returns
 * inner itself if memory is lacking or no thread can be started. */
nytp_source *nytp_readahead_new(nytp_source *inner);
