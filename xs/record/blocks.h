/* blocks=1: the innermost block and sub around a statement. */
#pragma once

#include "prof.h"

#include "names/places.h"

/* Sets *block_line and *sub_line to the first lines of the innermost block and sub around the statement at
 * `at`. A block or sub in another file counts as beginning at the statement's own line. */
void prof_find_block(pTHX_ prof *p, const prof_place *at, uint32_t *block_line, uint32_t *sub_line);
