/* The functions that loaded objects import: which slots the dynamic linker has filled with their addresses.
 * To replace one, its slots are overwritten, in each object for itself. Calls of our own object stay as they
 * are, so a replacement calls the original by its name. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void prof_function(void); /* of any type */

typedef struct prof_import {
    const char *name;
    prof_function *replacement;
    uintptr_t original; /* as dlsym() finds it; filled in by prof_imports_start() */
} prof_import;

typedef struct prof_imports {
    prof_import *at;
    size_t count;
} prof_imports;

/* Returns false on systems whose slots are not known. */
bool prof_imports_start(prof_imports *imports);

/* Replaces the imports in the objects that were loaded since the last call; in all at the first. Returns
 * whether objects were loaded or unloaded since then. Slots that the system does not let us write stay as
 * they are. Any thread may call it. */
bool prof_imports_replace(const prof_imports *imports);

/* Replaces the imports in one object. For prof_imports_replace(), and for tests. */
void prof_imports_replace_in(const prof_imports *imports, const struct dl_phdr_info *object);

/* Returns malloc() and its like, with what replaces them (wrappers.c); NULL if malloc() does not say how many
 * bytes a block has. The replacements count, and call the functions that were there. They change neither
 * addresses nor sizes, and leave errno alone, so memory may be allocated with and freed without them. */
prof_imports *prof_wrappers(void);
