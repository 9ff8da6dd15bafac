/* The tables of layouts that are installed. */
#pragma once

#include "sampler/perl/layout.h"

#include <stdio.h>

/* Reads the table for that version and those options. path: a table, or a directory whose *.txt are tables.
 * Returns false if none of them fits. */
bool sampler_layouts_choose(sampler_layout *layout, const char *path, const char *version,
                            const char *options);

/* Prints to stream which perl each table is for, each after a blank; for one of that version which of those
 * options it differs in; what is wrong with those that cannot be used. */
void sampler_layouts_list(const char *path, const char *version, const char *options, FILE *stream);
