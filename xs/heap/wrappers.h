/* What takes the place of malloc() and its like: they count, and call the functions that were there. They
 * change neither addresses nor sizes, and leave errno alone, so memory may be allocated with and freed
 * without them. */
#pragma once

#include "heap/imports.h"

/* The functions, with what replaces them. */
extern prof_imports prof_wrappers;
