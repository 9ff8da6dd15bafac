/* The columns of a callgrind file, which it calls events. */
#pragma once

#include "graph.h"

#include <stdio.h>

typedef struct cg_columns {
    bool shows[CG_AMOUNTS];
    uint64_t units[CG_AMOUNTS]; /* per tick; 1 when amounts are in ticks, or counted */
} cg_columns;

/* Sets sum to the costs of all functions. */
void cg_costs_sum(const cg_graph *g, uint64_t sum[CG_AMOUNTS]);

/* Chooses the columns, and writes what they are. Sets columns. */
void cg_columns_begin(cg_columns *columns, const cg_graph *g, FILE *out);

/* Writes a line of them. */
void cg_columns_put(const cg_columns *columns, const uint64_t costs[CG_AMOUNTS], FILE *out);
