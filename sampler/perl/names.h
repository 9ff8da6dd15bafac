/* The names that perl's structures have: of packages, globs and subs. */
#pragma once

#include "sampler/perl/interpreter.h"

/* A longer name is cut. One part of a name that is longer by itself is not taken for a name. */
enum { SAMPLER_NAME_ROOM = 4096 };

typedef struct sampler_name {
    size_t length;
    bool utf8;
    char bytes[SAMPLER_NAME_ROOM];
} sampler_name;

/* Append to a name. Return false, and leave *name as it was, if what is there is not a name. */
bool sampler_name_add_hek(const sampler_interpreter *i, sampler_name *name, uint64_t hek);
bool sampler_name_add_stash(const sampler_interpreter *i, sampler_name *name, uint64_t stash);
bool sampler_name_add_gv(const sampler_interpreter *i, sampler_name *name,
                         uint64_t gv); /* with its package */
void sampler_name_add(sampler_name *name, const char *bytes, size_t length, bool utf8);
void sampler_name_add_text(sampler_name *name, const char *text);

/* Whether a stash has that name. */
bool sampler_name_stash_is(const sampler_interpreter *i, uint64_t stash, const char *text);
