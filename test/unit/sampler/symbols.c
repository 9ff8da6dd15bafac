/* Symbols of a process that are read from its memory, which may be anything. */
#include "sampler/perl/interpreter.h"
#include "sampler/process/symbols.h"

#include "test/unit/support.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The memory of this process, in which what is read as one number of 4 bytes is another one. */
typedef struct fake {
    sampler_memory memory;
    uint32_t number; /* 0: as it is */
    long reads;
} fake;

static int read_fake(void *context, const sampler_piece *pieces, int count)
{
    fake *f = context;
    f->reads += count;
    if (f->number == 0 || count != 1 || pieces[0].size != sizeof f->number)
        return sampler_memory_read_pieces(&f->memory, pieces, count);
    memcpy(pieces[0].to, &f->number, sizeof f->number);
    return 1;
}

/* qemu-user cannot read memory, and has its own program as /proc/PID/exe. */
static void need_reading(void)
{
    pid_t pid = getpid();
    int number = 1, copy = 0;
    sampler_memory from = sampler_memory_of(&pid);
    if (!sampler_memory_read(&from, (uintptr_t)&number, &copy, sizeof copy) && errno == ENOSYS)
        skip_because(strerror(ENOSYS));
}

static void an_exported_variable_is_found(void **state)
{
    pid_t pid = getpid();
    sampler_memory from = sampler_memory_of(&pid);
    sampler_objects objects;
    (void)state;
    need_reading();
    assert_true(sampler_objects_find(&objects, pid, &from));
    assert_int_equal(sampler_objects_symbol(&objects, &from, "environ"), (uintptr_t)&environ);
    assert_int_equal(sampler_objects_symbol(&objects, &from, "PL_curinterp"), 0);
    sampler_objects_clear(&objects);
}

/* A bucket leads to a chain that never ends: no entry is the last one. */
static void all_searches_have_one_budget(void **state)
{
    pid_t pid = getpid();
    fake f = {.memory = sampler_memory_of(&pid)};
    sampler_memory from = {read_fake, &f};
    sampler_objects objects;
    (void)state;
    need_reading();
    assert_true(sampler_objects_find(&objects, pid, &from));
    assert_true(objects.count > 1);
    f.number = 0x7ffffff0;
    for (int n = 0; n < 20; n++)
        assert_int_equal(sampler_objects_symbol(&objects, &from, "PL_curinterp"), 0);
    assert_true(f.reads < 50000);
    sampler_objects_clear(&objects);
}

static int read_narrow(void *context, const sampler_piece *pieces, int count)
{
    (void)context;
    for (int n = 0; n < count; n++) {
        memset(pieces[n].to, 0, pieces[n].size);
        if (pieces[n].size >= EI_NIDENT) {
            memcpy(pieces[n].to, ELFMAG, SELFMAG);
            ((unsigned char *)pieces[n].to)[EI_CLASS] = ELFCLASS32;
        }
    }
    return count;
}

static void programs_with_pointers_of_4_bytes_are_refused(void **state)
{
    sampler_memory from = {read_narrow, NULL};
    sampler_objects objects;
    (void)state;
    need_reading();
    assert_true(sampler_objects_find(&objects, getpid(), &from));
    assert_int_equal(objects.count, 0);
    assert_true(objects.other_width);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exported_variable_is_found),
        cmocka_unit_test(all_searches_have_one_budget),
        cmocka_unit_test(programs_with_pointers_of_4_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
