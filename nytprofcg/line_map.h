/* Finds the sub that a line belongs to: the innermost called sub around it. */
#ifndef CG_LINE_MAP_H
#define CG_LINE_MAP_H

#include "graph.h"

typedef struct cg_line_map {
    GArray *intervals; /* of lines, sorted */
    uint32_t root;
} cg_line_map;

typedef struct cg_line_place {
    uint32_t sub;   /* the root: the line is in no called sub */
    bool is_inside; /* between the first and the last line of some called sub */
} cg_line_place;

/* Makes the map of all called perl subs. Needs subs. */
void cg_line_map_init(cg_line_map *map, const cg_graph *g);
void cg_line_map_clear(cg_line_map *map);

cg_line_place cg_line_map_find(const cg_line_map *map, uint32_t file, uint32_t line);

#endif
