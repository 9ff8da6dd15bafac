/* Which files of NEW have another text than in OLD, and which lines of the two are the same. */
#pragma once

#include "line_changes.h"
#include "old_text.h"

typedef struct html_text_change {
    int64_t file;         /* number in the report */
    uint64_t from, bytes; /* OLD's text in the stream of source; 0 bytes: it is not there */
    guint first_run, run_count;
} html_text_change;

/* Lines that are the same, or the same one edited: those of OLD from old on, and those of NEW from new on. */
typedef struct html_same_lines {
    uint32_t old, new, count;
} html_same_lines;

typedef struct html_text_changes {
    GArray *files; /* html_text_change */
    GArray *runs;  /* html_same_lines */
} html_text_changes;

/* Puts OLD's text of these files into the report's source. new_text has the hashes of NEW. */
html_text_changes *html_text_changes_new(const html_line_sources *sources, const nytp_source_text *new_text,
                                         html_old_text *old_text);
void html_text_changes_free(html_text_changes *changes);
