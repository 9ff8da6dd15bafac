#include "sampler/process/symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_OBJECTS = 4096,
    MOST_HEADERS = 64,
    MOST_DYNAMIC = 128,
    MOST_MAPPINGS = 16384, /* that may be objects */
    /* Entries of tables that are read of one process: a perl with its libraries takes 40. */
    MOST_READS = 1000,
    MORE_READS = 100, /* for each object */
    PAGE_MASK = 4095,
};

/* Reading an entry of a table spends this. What is searched may be anything: while the process executes a
 * program, the old one's addresses lead into the new one. Returns whether there was any left. */
static bool spend_read(sampler_objects *objects)
{
    return objects->reads_left > 0 && objects->reads_left-- > 0;
}

/* Where ld.so has made an address of an offset, and elsewhere, as musl leaves it, an offset. */
static uint64_t absolute(const sampler_object *object, uint64_t value)
{
    return value != 0 && value < object->bias ? value + object->bias : value;
}

static bool read_dynamic(sampler_object *object, const sampler_memory *memory, uint64_t address, size_t size)
{
    Elf64_Dyn entries[MOST_DYNAMIC];
    size_t count = size / sizeof entries[0];
    if (count > MOST_DYNAMIC)
        count = MOST_DYNAMIC;
    if (!sampler_memory_read(memory, address, entries, count * sizeof entries[0]))
        return false;
    for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++) {
        uint64_t value = absolute(object, entries[i].d_un.d_ptr);
        switch (entries[i].d_tag) {
        case DT_SYMTAB: object->symbols = value; break;
        case DT_STRTAB: object->strings = value; break;
        case DT_GNU_HASH: object->gnu_hash = value; break;
        case DT_HASH: object->sysv_hash = value; break;
        default: break;
        }
    }
    return object->symbols != 0 && object->strings != 0 && (object->gnu_hash | object->sysv_hash) != 0;
}

/* What was found where offset 0 of a file is mapped. */
typedef struct finding {
    bool is_readable;
    bool other_width; /* it is for pointers of another width */
    bool is_loaded;   /* an object, with its bias */
    bool is_dynamic;  /* with dynamic symbols, too */
    bool has_linker;  /* a program that ld.so starts */
    sampler_object object;
} finding;

static void read_segments(finding *f, const sampler_memory *memory, uint64_t start,
                          const Elf64_Phdr *segments, int count)
{
    for (int i = 0; i < count && !f->is_loaded; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_offset <= PAGE_MASK) {
            f->object.bias = start - (segments[i].p_vaddr - segments[i].p_offset);
            f->is_loaded = true;
        }
    for (int i = 0; i < count && f->is_loaded; i++) {
        f->has_linker = f->has_linker || segments[i].p_type == PT_INTERP;
        if (segments[i].p_type == PT_DYNAMIC)
            f->is_dynamic =
                read_dynamic(&f->object, memory, f->object.bias + segments[i].p_vaddr, segments[i].p_memsz);
    }
}

static finding read_object(const sampler_memory *memory, uint64_t start)
{
    Elf64_Ehdr header;
    Elf64_Phdr segments[MOST_HEADERS];
    finding f = {.is_readable = sampler_memory_read(memory, start, &header, sizeof header)};
    if (!f.is_readable || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return f;
    f.other_width = header.e_ident[EI_CLASS] != ELFCLASS64;
    f.object.machine = header.e_machine;
    if (!f.other_width && header.e_phnum > 0 && header.e_phnum <= MOST_HEADERS &&
        header.e_phentsize == sizeof segments[0] &&
        sampler_memory_read(memory, start + header.e_phoff, segments, header.e_phnum * sizeof segments[0]))
        read_segments(&f, memory, start, segments, header.e_phnum);
    return f;
}

/* One line of /proc/PID/maps. */
typedef struct mapping {
    uint64_t start, offset, inode;
} mapping;

static bool parse_mapping(mapping *m, const char *line)
{
    return sscanf(line, "%" SCNx64 "-%*x %*4c %" SCNx64 " %*x:%*x %" SCNu64, &m->start, &m->offset,
                  &m->inode) == 3;
}

static void add(sampler_objects *objects, const sampler_object *object, bool is_executable)
{
    sampler_object *list = realloc(objects->list, (objects->count + 1) * sizeof *list);
    if (list == NULL)
        return;
    objects->list = list;
    objects->reads_left += MORE_READS;
    size_t at = objects->count++;
    if (is_executable && at > 0) { /* it may be mapped after libraries */
        memmove(list + 1, list, at * sizeof *list);
        at = 0;
    }
    list[at] = *object;
}

static void add_found(sampler_objects *objects, const finding *f, bool is_executable)
{
    objects->readable += f->is_readable;
    if (f->is_dynamic)
        add(objects, &f->object, is_executable);
    if (!is_executable)
        return;
    objects->other_width = objects->other_width || f->other_width;
    if (f->is_loaded && !f->has_linker) {
        objects->is_static = true;
        objects->machine = f->object.machine;
        objects->bias = f->object.bias;
    }
}

static sampler_symtab *read_symtab(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    sampler_symtab *symtab = sampler_symtab_read(fd);
    close(fd);
    return symtab;
}

bool sampler_objects_find(sampler_objects *objects, pid_t pid, const sampler_memory *memory)
{
    char exe[64], path[64], line[8192];
    struct stat executable;
    *objects = (sampler_objects){.reads_left = MOST_READS};
    snprintf(exe, sizeof exe, "/proc/%ld/exe", (long)pid);
    bool executable_known = stat(exe, &executable) == 0;
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    FILE *maps = fopen(path, "re");
    if (maps == NULL)
        return false;
    int mappings = 0;
    errno = 0;
    while (objects->count < MOST_OBJECTS && mappings < MOST_MAPPINGS &&
           fgets(line, sizeof line, maps) != NULL) {
        mapping m;
        if (!parse_mapping(&m, line) || m.inode == 0 || m.offset != 0)
            continue;
        mappings++;
        finding found = read_object(memory, m.start);
        add_found(objects, &found, executable_known && executable.st_ino == m.inode);
    }
    bool good = !ferror(maps);
    fclose(maps);
    if (objects->is_static)
        objects->symtab = read_symtab(exe);
    return good;
}

void sampler_objects_clear(sampler_objects *objects)
{
    free(objects->list);
    sampler_symtab_free(objects->symtab);
    objects->list = NULL;
    objects->symtab = NULL;
}

static bool symbol_is(const sampler_object *object, const sampler_memory *memory, const Elf64_Sym *symbol,
                      const char *name)
{
    char text[64];
    return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
           sampler_memory_string(memory, object->strings + symbol->st_name, text, sizeof text) &&
           strcmp(text, name) == 0;
}

/* The table that binutils writes: https://flapenguin.me/elf-dt-gnu-hash describes it. */
static uint64_t find_by_gnu_hash(sampler_objects *objects, const sampler_object *object,
                                 const sampler_memory *memory, const char *name)
{
    uint32_t header[4]; /* buckets, first symbol, words of the filter, its shift */
    uint32_t hash = 5381;
    for (const char *p = name; *p != '\0'; p++)
        hash = hash * 33 + (unsigned char)*p;
    if (!sampler_memory_read(memory, object->gnu_hash, header, sizeof header) || header[0] == 0)
        return 0;
    uint64_t buckets = object->gnu_hash + sizeof header + (uint64_t)header[2] * sizeof(Elf64_Addr);
    uint64_t chains = buckets + (uint64_t)header[0] * sizeof(uint32_t);
    uint32_t index = sampler_memory_u32(memory, buckets + (uint64_t)(hash % header[0]) * sizeof(uint32_t));
    for (; index >= header[1] && index != 0 && spend_read(objects); index++) {
        uint32_t entry = sampler_memory_u32(memory, chains + (uint64_t)(index - header[1]) * sizeof entry);
        Elf64_Sym symbol;
        if ((entry | 1) == (hash | 1) &&
            sampler_memory_read(memory, object->symbols + index * sizeof symbol, &symbol, sizeof symbol) &&
            symbol_is(object, memory, &symbol, name))
            return object->bias + symbol.st_value;
        if (entry & 1)
            break;
    }
    return 0;
}

/* The System V ABI's table. */
static uint64_t find_by_sysv_hash(sampler_objects *objects, const sampler_object *object,
                                  const sampler_memory *memory, const char *name)
{
    uint32_t header[2]; /* buckets, symbols */
    uint32_t hash = 0;
    for (const char *p = name; *p != '\0'; p++) {
        hash = (hash << 4) + (unsigned char)*p;
        hash = (hash ^ (hash >> 24 & 0xF0)) & 0x0FFFFFFF;
    }
    if (!sampler_memory_read(memory, object->sysv_hash, header, sizeof header) || header[0] == 0)
        return 0;
    uint64_t buckets = object->sysv_hash + sizeof header;
    uint64_t chains = buckets + (uint64_t)header[0] * sizeof(uint32_t);
    uint32_t index = sampler_memory_u32(memory, buckets + (uint64_t)(hash % header[0]) * sizeof(uint32_t));
    while (index != 0 && index < header[1] && spend_read(objects)) {
        Elf64_Sym symbol;
        if (sampler_memory_read(memory, object->symbols + index * sizeof symbol, &symbol, sizeof symbol) &&
            symbol_is(object, memory, &symbol, name))
            return object->bias + symbol.st_value;
        index = sampler_memory_u32(memory, chains + (uint64_t)index * sizeof(uint32_t));
    }
    return 0;
}

uint64_t sampler_objects_symbol(sampler_objects *objects, const sampler_memory *memory, const char *name)
{
    uint64_t address = 0;
    for (size_t i = 0; i < objects->count && address == 0; i++) {
        const sampler_object *object = &objects->list[i];
        address = object->gnu_hash != 0 ? find_by_gnu_hash(objects, object, memory, name)
                                        : find_by_sysv_hash(objects, object, memory, name);
        if (address != 0)
            objects->machine = object->machine;
    }
    if (address == 0 && objects->symtab != NULL) {
        address = sampler_symtab_find(objects->symtab, name);
        address += address != 0 ? objects->bias : 0;
    }
    return address;
}
