/* Finds the sub that a line belongs to: the innermost one around it. */
#pragma once

#include "nytprof-model.h"

typedef struct nytp_line_map nytp_line_map;

typedef struct nytp_line_place {
    uint32_t sub;        /* UINT32_MAX: the line is in no sub that counts */
    uint32_t first_line; /* of the sub there */
    bool is_inside;      /* between the first and the last line of some sub that counts */
} nytp_line_place;

/* Returns whether the lines of a sub count. If several subs have the same lines, the one with the largest
 * weight gets them. *weight is 0 before. */
typedef bool nytp_has_lines_fn(void *context, uint32_t number, const nytp_sub *sub, uint64_t *weight);

nytp_line_map *nytp_line_map_new(const nytp_profile *profile, nytp_has_lines_fn *has_lines, void *context);
void nytp_line_map_free(nytp_line_map *map);

/* file: the number of the file. */
nytp_line_place nytp_line_map_find(const nytp_line_map *map, uint32_t file, uint32_t line);
