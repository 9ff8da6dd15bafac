#include "heap/imports.h"

#include "basics/alloc.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The types of relocations that fill a slot with the address of a function. */
#if defined __x86_64__
enum { JUMP_SLOT = R_X86_64_JUMP_SLOT, DATA_SLOT = R_X86_64_GLOB_DAT, POINTER = R_X86_64_64, KNOWN = true };
#elif defined __aarch64__ && defined __LP64__
enum {
    JUMP_SLOT = R_AARCH64_JUMP_SLOT,
    DATA_SLOT = R_AARCH64_GLOB_DAT,
    POINTER = R_AARCH64_ABS64,
    KNOWN = true
};
#else
enum { JUMP_SLOT = -1, DATA_SLOT = -1, POINTER = -1, KNOWN = false };
#endif

typedef ElfW(Addr) address;

/* What the dynamic section of an object says. */
typedef struct tables {
    address symbols, strings, jumps, relocations;
    size_t string_bytes, jump_bytes, relocation_bytes;
    bool jumps_have_addends;
} tables;

/* Returns the segment with all of these bytes; NULL if none. */
static const ElfW(Phdr) * segment_of(const struct dl_phdr_info *object, address at, size_t size)
{
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        const address start = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && at >= start && size <= segment->p_memsz &&
            at - start <= segment->p_memsz - size)
            return segment;
    }
    return NULL;
}

/* Returns whether a table with all of these bytes can be read in place. */
static bool has_table(const struct dl_phdr_info *object, address at, size_t size)
{
    return at % sizeof(address) == 0 && segment_of(object, at, size) != NULL;
}

/* glibc has added the object's address to most of these, but not where it cannot write the section. */
static address absolute(const struct dl_phdr_info *object, address at)
{
    return segment_of(object, at, 1) != NULL ? at : object->dlpi_addr + at;
}

static void read_entry(const struct dl_phdr_info *object, const ElfW(Dyn) * entry, tables *t)
{
    const address at = entry->d_un.d_ptr;
    switch (entry->d_tag) {
    case DT_SYMTAB: t->symbols = absolute(object, at); break;
    case DT_STRTAB: t->strings = absolute(object, at); break;
    case DT_STRSZ: t->string_bytes = entry->d_un.d_val; break;
    case DT_JMPREL: t->jumps = absolute(object, at); break;
    case DT_PLTRELSZ: t->jump_bytes = entry->d_un.d_val; break;
    case DT_PLTREL: t->jumps_have_addends = entry->d_un.d_val == DT_RELA; break;
    case DT_RELA: t->relocations = absolute(object, at); break;
    case DT_RELASZ: t->relocation_bytes = entry->d_un.d_val; break;
    default: break;
    }
}

/* Returns false if the object has no tables, or they are not within it. */
static bool find_tables(const struct dl_phdr_info *object, tables *t)
{
    *t = (tables){0};
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        const address start = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_DYNAMIC || !has_table(object, start, segment->p_memsz))
            continue;
        const ElfW(Dyn) *entries = (const ElfW(Dyn) *)start;
        for (size_t n = 0; n < segment->p_memsz / sizeof *entries && entries[n].d_tag != DT_NULL; n++)
            read_entry(object, &entries[n], t);
    }
    if (!t->jumps_have_addends || !has_table(object, t->jumps, t->jump_bytes))
        t->jump_bytes = 0;
    if (!has_table(object, t->relocations, t->relocation_bytes))
        t->relocation_bytes = 0;
    return t->string_bytes > 0 && segment_of(object, t->strings, t->string_bytes) != NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Calls within libc, such as those of strdup(), go to the malloc() that programs see. */
static bool is_libc(const struct dl_phdr_info *object)
{
    static const char start[] = "libc.so.";
    return strncmp(base_name(object->dlpi_name), start, sizeof start - 1) == 0;
}

/* Returns the import that a symbol of the object names; NULL if none. An object that has a function of that
 * name itself, as a library that replaces malloc() does, calls its own. */
static const prof_import *import_of(const prof_imports *imports, const struct dl_phdr_info *object,
                                    const tables *t, size_t symbol)
{
    const address at = t->symbols + symbol * sizeof(ElfW(Sym));
    if (!has_table(object, at, sizeof(ElfW(Sym))))
        return NULL;
    const ElfW(Sym) *s = (const ElfW(Sym) *)at;
    if (s->st_name >= t->string_bytes || (s->st_shndx != SHN_UNDEF && !is_libc(object)))
        return NULL;
    const char *name = (const char *)t->strings + s->st_name;
    for (size_t i = 0; i < imports->count; i++)
        if (strncmp(name, imports->at[i].name, t->string_bytes - s->st_name) == 0)
            return &imports->at[i];
    return NULL;
}

/* The first object is the main program. */
static int get_first(struct dl_phdr_info *object, size_t size, void *first)
{
    (void)size;
    *(struct dl_phdr_info *)first = *object;
    return 1;
}

static bool is_in_program(uintptr_t at)
{
    struct dl_phdr_info program;
    return dl_iterate_phdr(get_first, &program) == 1 && segment_of(&program, at, 1) != NULL;
}

/* Returns whether the slot leads to the function that we replace: it is not bound yet, so it leads into the
 * object itself, or has the address that dlsym() finds. That is one in the main program if it is not
 * position-independent: then other slots have the real one. An object that was loaded with another function
 * of that name (RTLD_DEEPBIND) keeps that. */
static bool leads_to_original(const prof_import *import, const struct dl_phdr_info *object, uintptr_t target)
{
    return target == import->original || segment_of(object, target, 1) != NULL ||
           is_in_program(import->original);
}

/* Returns whether the dynamic linker has made the page of a slot read-only when it had filled the slots. */
static bool is_read_only(const struct dl_phdr_info *object, address slot)
{
    const address page = (address)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        const address start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type == PT_GNU_RELRO && slot >= (start & ~(page - 1)) && slot < (end & ~(page - 1)))
            return true;
    }
    return false;
}

static void write_slot(const struct dl_phdr_info *object, uintptr_t *slot, uintptr_t value)
{
    const address page_bytes = (address)sysconf(_SC_PAGESIZE);
    void *page = (char *)slot - ((address)slot & (page_bytes - 1));
    const bool is_locked = is_read_only(object, (address)slot);
    if (is_locked && mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
    if (is_locked)
        mprotect(page, page_bytes, PROT_READ);
}

static void replace_in_table(const prof_imports *imports, const struct dl_phdr_info *object, const tables *t,
                             address relocations, size_t bytes)
{
    const ElfW(Rela) *r = (const ElfW(Rela) *)relocations;
    for (const ElfW(Rela) *end = r + bytes / sizeof *r; r < end; r++) {
        const int64_t type = (int64_t)ELF64_R_TYPE(r->r_info);
        if (type != JUMP_SLOT && type != DATA_SLOT && (type != POINTER || r->r_addend != 0))
            continue;
        const prof_import *import = import_of(imports, object, t, ELF64_R_SYM(r->r_info));
        const address at = object->dlpi_addr + r->r_offset;
        const ElfW(Phdr) *segment = segment_of(object, at, sizeof(uintptr_t));
        if (import == NULL || segment == NULL || !(segment->p_flags & PF_W) || at % sizeof(uintptr_t) != 0)
            continue;
        uintptr_t *slot = (uintptr_t *)at;
        if (*slot != (uintptr_t)import->replacement && leads_to_original(import, object, *slot))
            write_slot(object, slot, (uintptr_t)import->replacement);
    }
}

void prof_imports_replace_in(const prof_imports *imports, const struct dl_phdr_info *object)
{
    tables t;
    if (!find_tables(object, &t))
        return;
    replace_in_table(imports, object, &t, t.jumps, t.jump_bytes);
    replace_in_table(imports, object, &t, t.relocations, t.relocation_bytes);
}

/* Objects that were read, by address and name: another one may be loaded where one was. The dynamic linker's
 * lock protects it. */
static struct {
    struct {
        address at;
        char *name;
    } * objects;
    uint32_t count, cap;
    unsigned long long loaded, unloaded; /* how many objects were, by then */
    bool any;
} known;

static void forget_objects(void)
{
    for (uint32_t n = 0; n < known.count; n++)
        free(known.objects[n].name);
    known.count = 0;
}

/* Returns whether the object was not known, and makes it known. */
static bool note_object(const struct dl_phdr_info *object)
{
    for (uint32_t n = 0; n < known.count; n++)
        if (known.objects[n].at == object->dlpi_addr && strcmp(known.objects[n].name, object->dlpi_name) == 0)
            return false;
    known.objects = prof_grow(known.objects, &known.cap, known.count, sizeof *known.objects);
    known.objects[known.count].at = object->dlpi_addr;
    known.objects[known.count++].name = prof_strdup(object->dlpi_name);
    return true;
}

/* The dynamic linker calls its own malloc() as long as there is no other. */
static bool is_linker(const struct dl_phdr_info *object)
{
    return strncmp(base_name(object->dlpi_name), "ld-linux", strlen("ld-linux")) == 0;
}

typedef struct look {
    const prof_imports *imports;
    bool begun, changed;
} look;

/* Returns nonzero to end the iteration. */
static int look_at(struct dl_phdr_info *object, size_t size, void *context)
{
    look *l = context;
    (void)size;
    if (!l->begun) {
        l->begun = true;
        l->changed = !known.any || known.loaded != object->dlpi_adds || known.unloaded != object->dlpi_subs;
        if (!l->changed)
            return 1;
        if (known.unloaded != object->dlpi_subs)
            forget_objects();
        known.any = true;
        known.loaded = object->dlpi_adds;
        known.unloaded = object->dlpi_subs;
    }
    if (note_object(object) && segment_of(object, (address)&known, 1) == NULL && !is_linker(object))
        prof_imports_replace_in(l->imports, object);
    return 0;
}

bool prof_imports_replace(const prof_imports *imports)
{
    look l = {.imports = imports};
    dl_iterate_phdr(look_at, &l);
    return l.changed;
}

bool prof_imports_start(prof_imports *imports)
{
    for (size_t i = 0; KNOWN && i < imports->count; i++)
        imports->at[i].original = (uintptr_t)dlsym(RTLD_DEFAULT, imports->at[i].name);
    return KNOWN;
}
