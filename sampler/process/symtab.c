#include "sampler/process/symbols.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SECTIONS = 4096, MOST_BYTES = 16 << 20 /* of symbols, and of their names: perl has 0.3 MB */ };

struct sampler_symtab {
    Elf64_Sym *symbols;
    size_t count;
    char *names; /* the last byte is 0 */
    size_t names_bytes;
};

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(fd, (char *)to + done, size - done, (off_t)(offset + done));
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* Returns size bytes of the file and a 0 byte, or NULL. The caller must free them. */
static void *read_part(int fd, uint64_t offset, uint64_t size)
{
    char *part = size <= MOST_BYTES ? calloc(size + 1, 1) : NULL;
    if (part == NULL || !read_at(fd, part, size, offset)) {
        free(part);
        return NULL;
    }
    part[size] = '\0';
    return part;
}

/* The section with the symbols, and that with their names. */
static bool find_sections(int fd, Elf64_Shdr *symbols, Elf64_Shdr *names)
{
    Elf64_Ehdr header;
    if (!read_at(fd, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shnum > MOST_SECTIONS ||
        header.e_shentsize != sizeof *symbols)
        return false;
    Elf64_Shdr *sections = read_part(fd, header.e_shoff, header.e_shnum * sizeof *sections);
    bool found = false;
    for (int i = 0; sections != NULL && i < header.e_shnum && !found; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header.e_shnum) {
            *symbols = sections[i];
            *names = sections[sections[i].sh_link];
            found = true;
        }
    free(sections);
    return found;
}

sampler_symtab *sampler_symtab_read(int fd)
{
    Elf64_Shdr symbols, names;
    if (!find_sections(fd, &symbols, &names))
        return NULL;
    sampler_symtab *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->symbols = read_part(fd, symbols.sh_offset, symbols.sh_size);
    s->count = symbols.sh_size / sizeof *s->symbols;
    s->names = read_part(fd, names.sh_offset, names.sh_size);
    s->names_bytes = names.sh_size;
    if (s->symbols != NULL && s->names != NULL)
        return s;
    sampler_symtab_free(s);
    return NULL;
}

void sampler_symtab_free(sampler_symtab *s)
{
    if (s == NULL)
        return;
    free(s->symbols);
    free(s->names);
    free(s);
}

uint64_t sampler_symtab_find(const sampler_symtab *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++) {
        const Elf64_Sym *symbol = &s->symbols[i];
        if (symbol->st_shndx != SHN_UNDEF && symbol->st_name < s->names_bytes &&
            ELF64_ST_BIND(symbol->st_info) != STB_LOCAL && strcmp(s->names + symbol->st_name, name) == 0)
            return symbol->st_value;
    }
    return 0;
}
