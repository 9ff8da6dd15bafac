/* Modules that are loaded and not used. */
#pragma once

#include "findings/finder.h"

/* A module is not used if no sub of its file is called but by the BEGIN block that loads it; import(),
 * unimport() and VERSION() do not count. Which block loads a file is known if the file has BEGIN blocks of
 * its own, which run below it. */
void nytp_find_unused_modules(nytp_finder *finder, nytp_calltree *stacks);
