/* The symbol table of a program's file, which a statically linked program has instead of dynamic symbols,
 * unless it is stripped. */
#pragma once

#include <stdint.h>

typedef struct sampler_symtab sampler_symtab;

/* Reads the table of a file. Returns NULL if it has none that can be read. */
sampler_symtab *sampler_symtab_read(int fd);
void sampler_symtab_free(sampler_symtab *symtab); /* NULL is fine */

/* Returns the value of a symbol, an address before the program is moved; 0 if there is none of that name. */
uint64_t sampler_symtab_find(const sampler_symtab *symtab, const char *name);
