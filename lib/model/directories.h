/* The directories of modules that a profile names in its attributes. */
#pragma once

#include "nytprof-model.h"

#include <glib.h>

/* Returns those of an attribute, such as inc, in their order: char *, each ends in a slash. There are at most
 * 1,000, since a damaged profile may name any number. The caller must g_ptr_array_unref() it. */
GPtrArray *nytp_profile_directories(const nytp_profile *profile, const char *attribute);
