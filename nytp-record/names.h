/* Names of files as a perl has them, which may be relative to the directory in which it was when it loaded
 * them. */
#pragma once

#include "sampler/sampler.h"

typedef struct record_names record_names;

/* Finds out where the program of a target was started. root may be NULL, and stays the caller's. */
record_names *record_names_new(const sampler_target *target, const sampler_root *root);
void record_names_free(record_names *names); /* NULL is fine */

/* Returns the absolute name of a file, or the name as it is if that is not known. The caller must free it. */
char *record_names_absolute(const record_names *names, const char *name);
