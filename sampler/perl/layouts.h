/* The tables of layouts that are installed. Maintenance releases of perl are binary compatible (perlpolicy),
 * so there is one for each series, 5.36 and so on, with and without threads. */
#pragma once

#include "sampler/perl/layout.h"

#include <stdio.h>

/* What a perl says of itself. */
typedef struct sampler_identity {
    bool other_width; /* the program has no pointers of 8 bytes, and cannot be read */
    bool is_stripped; /* it is statically linked and has no symbols, so a perl in it cannot be found */
    char version[24], options[sizeof((sampler_layout *)0)->options];
    char machine[sizeof((sampler_layout *)0)->machine];
    uint32_t interp_size; /* of struct interpreter; 0: not known */
} sampler_identity;

/* Returns whether a layout is that of the process. */
typedef bool sampler_layout_try_fn(void *context, const sampler_layout *layout);

/* Calls try for each table for perls of that series that were built with the same options, as far as options
 * change structures, until it returns true: tables of that version first. path: a table, or a directory whose
 * *.txt are tables. Returns how many were tried. */
int sampler_layouts_try(const char *path, const sampler_identity *identity, sampler_layout_try_fn *try,
                        void *context);

/* Returns whether the release is one of those for which the layout was made. */
bool sampler_layout_has_release(const sampler_layout *layout, const char *version);

/* Prints to stream which perl each table is for, each after a blank; for one of that series which of those
 * options it differs in; what is wrong with those that cannot be used. */
void sampler_layouts_list(const char *path, const sampler_identity *identity, FILE *stream);
