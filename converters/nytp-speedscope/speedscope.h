/* What nytp-speedscope writes: files for speedscope, and those of V8's profiler. */
#pragma once

#include "calls/process_calls.h"
#include "cli/unit.h"

/* trees are those of one profile, and lines is that profile with its statements. Writes the nodes of all
 * stacks and, as if they had been sampled once, their own times one after another. Write errors stick to out.
 * Returns how many levels of stacks were deeper than max_depth; those have been added to their callers, and
 * so have stacks with less of the time than min. */
uint64_t speedscope_write_cpuprofile(nytp_process_calls *trees, const nytp_profile *lines, nytp_least min,
                                     uint32_t max_depth, FILE *out);

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

typedef struct speedscope_options {
    bool timeline;      /* the course of calls, not the tree of stacks */
    nytp_least min;     /* calls with less of the time fold into their callers */
    uint32_t max_depth; /* deeper calls fold into their callers */
    enum nytp_unit_word unit;
} speedscope_options;

/* calls are a course with timeline, else trees of frames. Writes one file with a profile of time for each
 * process. Where stacks are written, it also has one of calls, and one of waiting if the process waited.
 * Write errors stick to out. *cut: how many levels of stacks, or with timeline how many calls, were deeper
 * than max_depth. Returns 0, or the errno of what went wrong with the unnamed file of a timeline. */
int speedscope_write(nytp_process_calls *calls, const speedscope_options *options, FILE *out, uint64_t *cut);
