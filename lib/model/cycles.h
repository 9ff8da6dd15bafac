/* Strongly connected components of a graph of calls: sets of functions that call each other, directly or not.
 * A function without recursion is a component of its own. Callgrind calls them cycles. */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct nytp_cycles {
    uint32_t count;
    uint32_t *of_function; /* number of its cycle; a called cycle has a lower number than its callers */
} nytp_cycles;

/* Finds the cycles of functions, numbered below count. calls are records, sorted by caller; caller and callee
 * are the offsets of these members, as those of group.h. */
void nytp_cycles_find(nytp_cycles *cycles, const GArray *calls, size_t caller, size_t callee, uint32_t count);
void nytp_cycles_clear(nytp_cycles *cycles);
