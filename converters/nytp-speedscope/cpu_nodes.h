/* The nodes of a .cpuprofile: its stacks, as an array. */
#pragma once

#include "calls/process_calls.h"

enum { SPEEDSCOPE_ROOT }; /* the first node */
#define SPEEDSCOPE_NO_FRAME UINT32_MAX

typedef struct speedscope_node {
    uint32_t frame;                   /* SPEEDSCOPE_NO_FRAME: none */
    char *text, *file;                /* of a node without a frame; file: NULL if not known */
    uint32_t first_child, last_child; /* 0: none */
    uint32_t next;                    /* sibling; 0: none */
    uint64_t own_ns;
} speedscope_node;

/* Returns the nodes of all processes, as speedscope_node, callers before callees. If there are several
 * processes, each has a node of its own below the root. For speedscope_nodes_free(). */
GArray *speedscope_nodes_new(nytp_process_calls *trees);
void speedscope_nodes_free(GArray *nodes);

/* Adds a node without calls below the root, and returns its number. Takes ownership of both. */
uint32_t speedscope_nodes_add_file(GArray *nodes, char *text, char *file);
