/* The times of lines, for the nodes of a .cpuprofile. */
#pragma once

#include "cpu_nodes.h"

typedef struct speedscope_line {
    uint32_t node, line;
    uint64_t ns;
} speedscope_line;

/* Returns the lines of a profile that took time, as speedscope_line, by node and line. A profile does not say
 * in which stack a line took its time, and viewers add up all nodes of a file. So the lines of a sub belong
 * to its first node, and those of other code to a node of their file, which is added. */
GArray *speedscope_lines_new(GArray *nodes, nytp_frames *frames, const nytp_profile *profile);
