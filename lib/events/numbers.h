/* Numbers in the value of an attribute, with blanks between them. */
#pragma once

#include "nytprof.h"

/* Reads count numbers that are not negative; those that are not there become 0. Returns false if the text is
 * something else. */
bool nytp_numbers_read(nytp_str text, double *numbers, int count);
