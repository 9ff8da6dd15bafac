/* What is said of a recording while it goes on, and in the end. */
#pragma once

#include "family.h"

typedef struct record_progress {
    bool on_terminal, shown;
} record_progress;

/* beside_command: a command that this program has started may write to the terminal at any time, so nothing
 * is written in between. */
void record_progress_begin(record_progress *progress, bool beside_command);
void record_progress_show(record_progress *progress, const record_family *family, double seconds);
void record_progress_end(record_progress *progress); /* wipes the line */

/* Says what was recorded, and which program shows it. file: of the first process; NULL
 * with --push. with_children: the descendants of the first process are sampled, too. */
void record_progress_sum(const record_counts *counts, const record_options *options, size_t processes,
                         const char *file, double seconds, bool with_children);
