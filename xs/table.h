/* Tables that number byte strings, from 0, in the order in which they are added. They are in plain C because
 * they must outlive the interpreter's hashes. Without memory the process is aborted, see alloc.h. */
#ifndef PROF_TABLE_H
#define PROF_TABLE_H

#include "base/stringtable.h"

#include <stdbool.h>

typedef nytp_strings prof_table;

prof_table *prof_table_new(void);
void prof_table_free(prof_table *table); /* may be NULL */
uint32_t prof_table_count(const prof_table *table);

/* Returns the number of the string, or -1 if it is not in the table and add is false. */
int64_t prof_table_find(prof_table *table, const char *bytes, size_t length, bool add);

/* Returns the string of a number. It is valid as long as the table. */
const char *prof_table_get(const prof_table *table, uint32_t number, size_t *length);

#endif
