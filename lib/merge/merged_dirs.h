/* Attributes that are lists of directories (base/dirlist.h), of several profiles as one list. */
#pragma once

#include "nytprof.h"

typedef struct nytp_merged_dirs nytp_merged_dirs;

nytp_merged_dirs *nytp_merged_dirs_new(void);
void nytp_merged_dirs_free(nytp_merged_dirs *dirs);

/* Whether the attribute is such a list: inc, privlib and the like. */
bool nytp_is_dirs(nytp_str key);

/* Adds a list. Returns whether it is the first of its key. */
bool nytp_merged_dirs_add(nytp_merged_dirs *dirs, nytp_str key, nytp_str list);

/* Calls each for the lists to which later ones have added directories. */
typedef void nytp_merged_dirs_fn(void *context, nytp_str key, nytp_str list);
void nytp_merged_dirs_each_grown(const nytp_merged_dirs *dirs, nytp_merged_dirs_fn *each, void *context);
