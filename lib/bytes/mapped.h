/* Memory that a compression library asks for, in pages of its own: so it does not move what a profiled
 * program allocates, and is not in a profile of its memory. */
#pragma once

#include <stddef.h>

/* Returns memory that is all 0, or NULL when there is none. */
void *nytp_mapped_new(size_t size);

void nytp_mapped_free(void *memory); /* NULL is fine */

/* The zalloc and zfree of a z_stream, with that memory. */
void *nytp_mapped_table(void *unused, unsigned count, unsigned size);
void nytp_mapped_table_free(void *unused, void *table);
