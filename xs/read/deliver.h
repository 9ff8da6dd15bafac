/* The op that calls back for every chunk of a profile. */
#ifndef READ_DELIVER_H
#define READ_DELIVER_H

#include "perl_headers.h"

/* Makes `deliver($stream)`, in void context, that op. */
void read_deliver_boot(pTHX);

#endif
