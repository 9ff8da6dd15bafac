/* Kinds of memory: what a value is stored for, by the C function that has asked for it. Users see the names.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of kinds: those of the list below, and after them other objects, such as libcrypto. */
#define PROF_KINDS(KIND)                                                                                     \
    KIND(OTHER, "other")                                                                                     \
    KIND(HEADS, "value heads")                                                                               \
    KIND(BODIES, "value bodies")                                                                             \
    KIND(STRINGS, "strings")                                                                                 \
    KIND(ARRAYS, "arrays")                                                                                   \
    KIND(HASHES, "hashes")                                                                                   \
    KIND(SYMBOLS, "symbols")                                                                                 \
    KIND(CODE, "code")                                                                                       \
    KIND(PATTERNS, "patterns")                                                                               \
    KIND(STACKS, "perl's stacks")                                                                            \
    KIND(FILES, "files")                                                                                     \
    KIND(MAGIC, "magic")

#define PROF_KIND_NUMBER(name, text) PROF_KIND_##name,
typedef enum prof_kind { PROF_KINDS(PROF_KIND_NUMBER) PROF_KIND_COUNT } prof_kind;

extern const char *const prof_kind_names[PROF_KIND_COUNT];

/* Returns the kind of what a function of perl asks for; false if that depends on its caller. */
bool prof_kind_of_function(const char *function, prof_kind *kind);

/* Sets name to what memory is called that code in the object at path asks for: the module of an XS object
 * (List::Util), or the base name without version (libcrypto). Returns false if that depends on the caller:
 * the object is the C or C++ library, or has no name. size: of name, which is cut if it is longer. */
bool prof_kind_of_object(const char *path, char *name, size_t size);
