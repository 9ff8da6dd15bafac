/* The columns of a callgrind file, which it calls events. */
#pragma once

#include "graph.h"

#include <stdio.h>

/* Statements, and ticks of the others. */
typedef struct cg_costs {
    uint64_t of[CG_AMOUNTS];
} cg_costs;

typedef struct cg_columns {
    bool shows[CG_AMOUNTS];
    uint64_t units_per_tick; /* 1 when costs are in ticks */
} cg_columns;

/* Returns the costs of a cost of the graph, by index. */
cg_costs cg_costs_of(const cg_graph *g, uint32_t i);

/* Returns those of all functions. */
cg_costs cg_costs_sum(const cg_graph *g);

/* Chooses the columns, and writes what they are. Sets columns. */
void cg_columns_begin(cg_columns *columns, const cg_graph *g, FILE *out);

/* Writes a line of them. */
void cg_columns_put(const cg_columns *columns, const cg_costs *costs, FILE *out);
