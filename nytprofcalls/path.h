/* The text of a stack, "outer;inner", kept while a tree is visited depth first. */
#pragma once

#include "nytprof.h"

#include <glib.h>

typedef struct calls_path {
    GString *text; /* of the current stack */
    GArray *ends;  /* gsize, by depth: how much of text is the stack up to there */
} calls_path;

calls_path calls_path_new(void);
void calls_path_clear(calls_path *path);

/* Makes text that of the call at depth (0: outermost) whose callers are the calls at lower depths that were
 * entered last. */
void calls_path_enter(calls_path *path, uint32_t depth, nytp_str name);
