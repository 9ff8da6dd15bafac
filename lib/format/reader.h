/* What programs and tests need of a reader beyond nytprof.h. */
#ifndef NYTP_FORMAT_READER_H
#define NYTP_FORMAT_READER_H

#include "bytes/inflate.h"

/* Which library the reader inflates with. */
void nytp_reader_set_inflater(nytp_reader *reader, enum nytp_inflate_with with);

/* Returns what has recorded the current profile, such as "Devel::NYTProf 6.12 of nytprof-tools 0.1.0", as far
 * as it was read; empty: not known. */
const char *nytp_reader_collector(const nytp_reader *reader);

#endif
