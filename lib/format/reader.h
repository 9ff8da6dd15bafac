/* What tests need of a reader beyond nytprof.h. */
#ifndef NYTP_FORMAT_READER_H
#define NYTP_FORMAT_READER_H

#include "bytes/inflate.h"

/* Which library the reader inflates with. */
void nytp_reader_set_inflater(nytp_reader *reader, enum nytp_inflate_with with);

#endif
