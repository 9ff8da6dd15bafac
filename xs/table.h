/* Tables that number byte strings from 0, in the order in which they are added. They are not perl hashes,
 * because they must outlive the interpreter's. When memory runs out, the process aborts, as in alloc.h. */
#ifndef PROF_TABLE_H
#define PROF_TABLE_H

#include "base/stringtable.h"

#include <stdbool.h>

typedef nytp_strings prof_table;

prof_table *prof_table_new(void);
void prof_table_free(prof_table *table); /* may be NULL */
uint32_t prof_table_count(const prof_table *table);

/* Returns the number of the string. If it is not in the table, adds it; or, if add is false, returns -1. */
int64_t prof_table_find(prof_table *table, const char *bytes, size_t length, bool add);

/* Returns the string with that number. It belongs to the table. */
const char *prof_table_get(const prof_table *table, uint32_t number, size_t *length);

#endif
