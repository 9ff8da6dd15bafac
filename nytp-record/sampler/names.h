/* The names that perl's structures have: of packages, globs and subs. */
#ifndef RECORD_NAMES_H
#define RECORD_NAMES_H

#include "interpreter.h"

/* A longer name is cut. One part of a name that is longer by itself is not taken for a name. */
enum { RECORD_NAME_ROOM = 4096 };

typedef struct record_name {
    size_t length;
    bool utf8;
    char bytes[RECORD_NAME_ROOM];
} record_name;

/* Append to a name. false: what is there is not a name; *name is as before then. */
bool record_name_add_hek(const record_interpreter *i, record_name *name, uint64_t hek);
bool record_name_add_stash(const record_interpreter *i, record_name *name, uint64_t stash);
bool record_name_add_gv(const record_interpreter *i, record_name *name, uint64_t gv); /* with its package */
void record_name_add(record_name *name, const char *bytes, size_t length, bool utf8);
void record_name_add_text(record_name *name, const char *text);

/* Whether a stash has that name. */
bool record_name_stash_is(const record_interpreter *i, uint64_t stash, const char *text);

#endif
