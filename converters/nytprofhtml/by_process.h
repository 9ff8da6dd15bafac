/* What each process adds to the tree of all stacks, where there are several processes. */
#pragma once

#include "calls/stacktree.h"

/* What a process has of a stack. */
typedef struct html_process_stack {
    uint32_t stack; /* number of the node; after html_by_process_place() its index in the report */
    uint64_t calls;
    double excl_ticks;
} html_process_stack;

typedef struct html_by_process html_by_process;

html_by_process *html_by_process_new(void);
void html_by_process_free(html_by_process *by); /* NULL is fine */

/* Call it when a process begins, with the stacks of the one before: they are moved. */
void html_by_process_begin(html_by_process *by, nytp_stacktree *stacks);

/* Call it when everything was read: stacks get the nodes of all processes. */
void html_by_process_end(html_by_process *by, nytp_stacktree *stacks);

/* Call it when stacks were pruned. places has the index in the report of each of their nodes, NO_PLACE where
 * it was folded into its caller. scale: from the tree's ticks to the report's. */
#define HTML_NO_PLACE UINT32_MAX
void html_by_process_place(html_by_process *by, const nytp_stacktree *stacks, const uint32_t *places,
                           double scale);

/* Returns how many processes there are; 0 or 1: nothing is known of their stacks. */
uint32_t html_by_process_count(const html_by_process *by);

/* Returns what a process has, sorted by stack. */
const html_process_stack *html_by_process_get(const html_by_process *by, uint32_t number, uint32_t *count);
