/* Replacing what objects import: made-up objects, some with tables that lie. */
#include "test/unit/support.h"

#include "heap/imports.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined __x86_64__
enum {
    JUMP = R_X86_64_JUMP_SLOT,
    DATA = R_X86_64_GLOB_DAT,
    POINTER = R_X86_64_64,
    RELATIVE = R_X86_64_RELATIVE
};
#else
enum {
    JUMP = R_AARCH64_JUMP_SLOT,
    DATA = R_AARCH64_GLOB_DAT,
    POINTER = R_AARCH64_ABS64,
    RELATIVE = R_AARCH64_RELATIVE
};
#endif

/* Not of the program itself: if the original is, anything may lead to it. */
#define original ((prof_function *)getenv)

static void replacement(void)
{
}

static void another(void)
{
}

/* An object as it is in memory: tables, then a page of slots that the linker has made read-only, and one that
 * it has not. */
typedef struct object {
    ElfW(Sym) symbols[4];
    char strings[64];
    ElfW(Rela) jumps[4], relocations[4];
    ElfW(Dyn) dynamic[16];
    _Alignas(4096) prof_function *locked[512];
    prof_function *slots[512];
} object;

enum { FIRST, SECOND, OWN, FAR };

typedef struct made {
    object *at;
    ElfW(Phdr) segments[3];
    struct dl_phdr_info info;
} made;

static ElfW(Rela) rela(const made *m, int type, size_t symbol, prof_function **slot)
{
    return (ElfW(Rela)){.r_offset = (ElfW(Addr))slot - (ElfW(Addr))m->at,
                        .r_info = ELF64_R_INFO(symbol, (ElfW(Addr))type)};
}

static void tag(made *m, size_t n, ElfW(Sxword) name, ElfW(Addr) value)
{
    m->at->dynamic[n].d_tag = name;
    m->at->dynamic[n].d_un.d_ptr = value;
}

static void make(made *m)
{
    object *o = mmap(NULL, sizeof *o, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(o != MAP_FAILED);
    *m = (made){.at = o};
    memcpy(o->strings, "\0first\0second\0firsts", 21);
    o->symbols[FIRST] = (ElfW(Sym)){.st_name = 1};
    o->symbols[SECOND] = (ElfW(Sym)){.st_name = 7};
    o->symbols[OWN] = (ElfW(Sym)){.st_name = 1, .st_shndx = 5};
    o->symbols[FAR] = (ElfW(Sym)){.st_name = 4000000000U};
    for (size_t i = 0; i < 8; i++)
        o->slots[i] = o->locked[i] = original;
    o->jumps[0] = rela(m, JUMP, FIRST, &o->locked[0]);
    o->jumps[1] = rela(m, JUMP, SECOND, &o->slots[1]);
    o->relocations[0] = rela(m, DATA, FIRST, &o->slots[2]);
    o->relocations[1] = rela(m, POINTER, FIRST, &o->slots[3]);
    tag(m, 0, DT_SYMTAB, (ElfW(Addr))o->symbols);
    tag(m, 1, DT_STRTAB, (ElfW(Addr))o->strings);
    tag(m, 2, DT_STRSZ, sizeof o->strings);
    tag(m, 3, DT_JMPREL, (ElfW(Addr))o->jumps);
    tag(m, 4, DT_PLTRELSZ, 2 * sizeof o->jumps[0]);
    tag(m, 5, DT_PLTREL, DT_RELA);
    tag(m, 6, DT_RELA,
        (ElfW(Addr))o->relocations - (ElfW(Addr))o); /* as in an object that cannot be written */
    tag(m, 7, DT_RELASZ, 4 * sizeof o->relocations[0]);
    m->segments[0] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_memsz = sizeof *o, .p_flags = PF_R | PF_W};
    m->segments[1] = (ElfW(Phdr)){
        .p_type = PT_DYNAMIC, .p_vaddr = offsetof(object, dynamic), .p_memsz = sizeof o->dynamic};
    m->segments[2] = (ElfW(Phdr)){
        .p_type = PT_GNU_RELRO, .p_vaddr = offsetof(object, locked), .p_memsz = sizeof o->locked};
    m->info = (struct dl_phdr_info){(ElfW(Addr))o, "made.so", m->segments, 3, 0, 0, 0, NULL};
}

static void replace_in(made *m)
{
    prof_import import = {"first", replacement, (uintptr_t)original};
    const prof_imports imports = {&import, 1};
    assert_int_equal(mprotect(m->at->locked, sizeof m->at->locked, PROT_READ), 0);
    prof_imports_replace_in(&imports, &m->info);
}

static void unmake(made *m)
{
    munmap(m->at, sizeof *m->at);
}

static void slots_of_the_name_are_replaced(void **state)
{
    made m;
    (void)state;
    make(&m);
    replace_in(&m);
    assert_ptr_equal(m.at->locked[0], replacement);
    assert_ptr_equal(m.at->slots[1], original); /* another name */
    assert_ptr_equal(m.at->slots[2], replacement);
    assert_ptr_equal(m.at->slots[3], replacement);
    assert_ptr_equal(m.at->slots[0], original);
    unmake(&m);
}

static void what_leads_elsewhere_stays(void **state)
{
    made m;
    (void)state;
    make(&m);
    m.at->slots[2] = another;
    m.at->slots[3] = (prof_function *)(uintptr_t)m.at; /* not bound yet: it leads into the object */
    m.at->slots[4] = original;
    m.at->relocations[2] = rela(&m, DATA, OWN, &m.at->slots[4]); /* the object has the function itself */
    m.at->relocations[3] = rela(&m, RELATIVE, FIRST, &m.at->slots[5]);
    replace_in(&m);
    assert_ptr_equal(m.at->slots[2], another);
    assert_ptr_equal(m.at->slots[3], replacement);
    assert_ptr_equal(m.at->slots[4], original);
    assert_ptr_equal(m.at->slots[5], original);
    unmake(&m);
}

static void only_writable_segments_are_written(void **state)
{
    made m;
    (void)state;
    make(&m);
    m.segments[0].p_flags = PF_R;
    replace_in(&m);
    assert_ptr_equal(m.at->slots[2], original);
    assert_ptr_equal(m.at->locked[0], original);
    unmake(&m);
}

/* Each lie is about one thing; the rest is as it was. */
static void lie_and_replace(size_t dynamic, ElfW(Addr) value)
{
    made m;
    make(&m);
    m.at->dynamic[dynamic].d_un.d_ptr = value;
    replace_in(&m);
    unmake(&m);
}

static void tables_that_lie_are_not_read(void **state)
{
    static const ElfW(Addr) lies[] = {0, 1, 8, 1 << 20, UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 7};
    (void)state;
    for (size_t tag = 0; tag < 8; tag++)
        for (size_t n = 0; n < sizeof lies / sizeof lies[0]; n++)
            lie_and_replace(tag, lies[n]);
}

static void entries_that_lie_are_left_out(void **state)
{
    made m;
    (void)state;
    make(&m);
    m.at->relocations[0].r_offset = UINT64_MAX - 3;
    m.at->relocations[1].r_offset = sizeof *m.at - 4;
    m.at->relocations[2] = rela(&m, DATA, UINT32_MAX, &m.at->slots[4]);
    m.at->relocations[3] = rela(&m, DATA, FAR, &m.at->slots[5]);
    m.at->jumps[1] = rela(&m, JUMP, FIRST, &m.at->slots[6]);
    m.at->jumps[1].r_offset += 3;
    replace_in(&m);
    assert_ptr_equal(m.at->locked[0], replacement);
    for (size_t i = 0; i < 8; i++)
        assert_ptr_equal(m.at->slots[i], original);
    unmake(&m);
}

static void an_object_without_tables_is_left_out(void **state)
{
    made m;
    (void)state;
    make(&m);
    m.segments[1].p_memsz = UINT64_MAX;
    replace_in(&m);
    assert_ptr_equal(m.at->slots[2], original);
    m.segments[1].p_type = PT_NOTE;
    replace_in(&m);
    assert_ptr_equal(m.at->slots[2], original);
    unmake(&m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_of_the_name_are_replaced),
        cmocka_unit_test(what_leads_elsewhere_stays),
        cmocka_unit_test(only_writable_segments_are_written),
        cmocka_unit_test(tables_that_lie_are_not_read),
        cmocka_unit_test(entries_that_lie_are_left_out),
        cmocka_unit_test(an_object_without_tables_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
