/* The op that calls back for every chunk of a profile. */
#pragma once

#include "perl_headers.h"

/* Makes `deliver($stream)`, in void context, that op. */
void read_deliver_boot(pTHX);
