/* What reads a profile together with something else. */
#pragma once

#include "nytprof-model.h"

/* Adds the consecutive statements that the reader has buffered. Returns their size in bytes; 0 if the next
 * one is not to be added like the others: after a DISCOUNT, or after an annotation, which counts for one
 * chunk. */
size_t nytp_profile_read_statements(nytp_profile *profile, nytp_reader *reader);
