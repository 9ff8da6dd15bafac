/* The tables of layouts that are installed. */
#ifndef RECORD_LAYOUTS_H
#define RECORD_LAYOUTS_H

#include "layout.h"

#include <stdio.h>

/* Reads the table for that version and those options. path: a table, or a directory whose *.txt are tables.
 * false: none of them fits. */
bool record_layouts_choose(record_layout *layout, const char *path, const char *version, const char *options);

/* Prints to stream which perl each table is for, each after a blank; for one of that version which of those
 * options it differs in; what is wrong with those that cannot be used. */
void record_layouts_list(const char *path, const char *version, const char *options, FILE *stream);

#endif
