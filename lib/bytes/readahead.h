/* Reading ahead on a thread. */
#ifndef NYTP_BYTES_READAHEAD_H
#define NYTP_BYTES_READAHEAD_H

#include "nytprof.h"

/* Returns a source of the same bytes as inner, which a thread reads ahead. Takes ownership of inner. Returns
 * inner itself if memory is lacking or no thread can be started. */
nytp_source *nytp_readahead_new(nytp_source *inner);

#endif
