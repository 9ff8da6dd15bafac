/* The tables of layouts that are installed. */
#ifndef RECORD_LAYOUTS_H
#define RECORD_LAYOUTS_H

#include "layout.h"

#include <stdio.h>

/* Reads the table for that version and those options. path: a table, or a directory whose *.txt are tables.
 * false: none of them fits. */
bool record_layouts_choose(record_layout *layout, const char *path, const char *version, const char *options);

/* Prints to stream what each table is for, each after a semicolon, and what is wrong with those that cannot
 * be read. */
void record_layouts_list(const char *path, FILE *stream);

#endif
