/* Byte strings as dense numbers, from 0, for who must have memory. In plain C: it must outlive the
 * interpreter's own hashes. */
#ifndef PROF_TABLE_H
#define PROF_TABLE_H

#include "base/stringtable.h"

#include <stdbool.h>

typedef nytp_strings prof_table;

prof_table *prof_table_new(void);
void prof_table_free(prof_table *table);
uint32_t prof_table_count(const prof_table *table);

/* The number of the string; -1 where it is not there and add is false. */
int64_t prof_table_find(prof_table *table, const char *bytes, size_t length, bool add);

/* The string of a number; valid as long as the table. */
const char *prof_table_get(const prof_table *table, uint32_t number, size_t *length);

/* For everything in the collector that must have memory: says so and ends the process, as perl does. */
void *prof_alloc(size_t size) __attribute__((returns_nonnull));
void *prof_realloc(void *old, size_t size) __attribute__((returns_nonnull));
char *prof_strdup(const char *text) __attribute__((returns_nonnull));

#endif
