/* The tree of stacks with the subs of a profile whose evals were merged, as a list in pre-order. */
#pragma once

#include "by_process.h"
#include "nytprof-model.h"

#include <glib.h>

typedef struct html_stack {
    uint32_t sub;   /* number in the report */
    uint32_t depth; /* from 0 on */
    uint64_t calls;
    double excl_ticks, incl_ticks;
    uint32_t end; /* index of the first node after those below it */
} html_stack;

/* Gives the number that the report has for a sub. */
typedef uint32_t html_number_fn(void *context, nytp_str name);

/* Returns the numbers in the report, indexed by those of shown names in the tree. The caller must g_free()
 * them. */
uint32_t *html_stacks_numbers(nytp_calltree *tree, html_number_fn *number_of, void *context);

/* A new array of html_stack, siblings in order of their first return. scale: from the tree's ticks to the
 * report's. by may be NULL. */
GArray *html_stacks_new(nytp_calltree *tree, const uint32_t *numbers, double scale, html_by_process *by);
