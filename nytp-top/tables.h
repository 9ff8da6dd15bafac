/* What is counted: subs, lines and packages, and the stack that was seen last. */
#pragma once

#include "counts.h"

enum top_by { TOP_SUBS, TOP_LINES, TOP_PACKAGES, TOP_KINDS };

typedef struct top_tables {
    top_counts *of[TOP_KINDS];
    char *stack; /* lines, innermost first; NULL if none was seen */
} top_tables;

void top_tables_init(top_tables *tables);
void top_tables_copy(top_tables *tables, const top_tables *from); /* tables are uninitialized, or cleared */
void top_tables_clear(top_tables *tables);

/* Begins as many new seconds as have passed since *second_ns, when the last one began, and sets that. */
void top_tables_advance(top_tables *tables, int64_t *second_ns, int64_t now_ns);

/* What was added so far is not of the last seconds. */
void top_tables_forget_recent(top_tables *tables);

/* The package of a sub, in room for size bytes. */
void top_package_of(const char *sub, char *to, size_t size);
