/* What a call's @_ holds now, as text. */
#pragma once

#include "sampler/sample/resolve.h"

/* Prints one argument. text is NUL-terminated and may hold any other byte. is_string: it is a string, else a
 * number, undef, a glob, a reference, or "?": what is not known. */
typedef void sampler_value_fn(void *context, const char *text, size_t length, bool is_string);

enum { SAMPLER_VALUE_SHOWN = 80 /* characters of a string */ };

/* Calls use for each of the first values of a frame's @_. Returns how many there are, -1: it has none, or
 * they cannot be read. */
int64_t sampler_values_of(const sampler_interpreter *i, const sampler_frame *frame, sampler_value_fn *use,
                          void *context);
