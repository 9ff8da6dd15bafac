/* What is shown of the tables, as lines of text: on a terminal, or in a file. */
#pragma once

#include "tables.h"

#include "export/table.h"

#include <stddef.h>

typedef struct top_view {
    enum top_by by;
    enum top_sort sort;
    enum top_time time;
    bool has_both; /* all time and that of work are known, so a key goes from one to the other */
    char filter[128];
    bool stack;  /* the current stack, not the table */
    bool paused; /* the picture stays */
    bool help;
    bool saves;         /* what is shown is to be written to a file */
    bool restarts;      /* what came so far is not to be counted any more */
    size_t first;       /* row at the top */
    char selected[256]; /* the name of a row; "": none */
    long move;          /* by how many rows the selection is to move */
    int marked;         /* the line that it is on; 0: none */
    bool opens;         /* the selected sub is to be shown when keys before that have moved the selection */
    char of[256];       /* the sub of which callers, callees and lines are shown; "": the table */
    nytp_look look;     /* of the terminal */
    const char *source; /* what is watched, for the first line */
    const char *note;   /* something to be said; NULL: nothing */
    const char *counted[TOP_TIMES]; /* what the times are: "sampled" */
} top_view;

/* Returns the lines of the view, for g_strfreev(): header lines, then up to rows lines of the table or the
 * stack. Scrolls back to the last page if the view is past it. */
char **top_view_lines(top_view *view, const top_tables *tables, double seconds, size_t rows);

/* Returns how many lines of the screen, of which `rows` are below the head, show the selected sub below the
 * table. Returns 0 if they show no sub. */
size_t top_view_pane_rows(const top_view *view, size_t rows);

/* Returns these lines, for g_strfreev(): its largest callers, callees and lines. */
char **top_view_pane(const top_view *view, const top_tables *tables);

/* Shows the table again, not the callers, callees and lines of a sub. */
void top_view_close(top_view *view);

/* What a key does to the view. false: it asks for the end. */
bool top_view_key(top_view *view, int key);

/* Takes over the terminal. false: it cannot be used. */
bool top_screen_begin(void);
void top_screen_end(void);

/* Whether the terminal is that of other processes at this moment. A signal handler may call it. */
bool top_screen_is_in_background(void);

/* Returns how many rows of a table it has room for. */
size_t top_screen_rows(void);

void top_screen_draw(top_view *view, const top_tables *tables, double seconds);

/* Handles the keys that were pressed since the last time. *changed: the view is another one. false: the end.
 */
bool top_screen_keys(top_view *view, bool *changed);
