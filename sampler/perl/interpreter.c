#include "sampler/perl/interpreter.h"

#include "sampler/process/symbols.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* As uname -m has it. */
static const char *machine_name(uint16_t machine)
{
    switch (machine) {
    case EM_X86_64: return "x86_64";
    case EM_AARCH64: return "aarch64";
    default: return "another processor";
    }
}

/* The perl's own version and the options that its layout depends on; it exports both. */
static bool identify(sampler_objects *objects, const sampler_memory *memory, sampler_identity *identity)
{
    uint8_t numbers[3];
    static const char *const symbols[] = {"PL_revision", "PL_version", "PL_subversion"};
    for (int i = 0; i < 3; i++) {
        uint64_t at = sampler_objects_symbol(objects, memory, symbols[i]);
        if (at == 0 || !sampler_memory_read(memory, at, &numbers[i], 1))
            return false;
    }
    snprintf(identity->version, sizeof identity->version, "%d.%d.%d", numbers[0], numbers[1], numbers[2]);
    uint64_t options = sampler_objects_symbol(objects, memory, "PL_bincompat_options");
    if (options == 0 || !sampler_memory_string(memory, options, identity->options, sizeof identity->options))
        return false;
    if (identity->options[0] == ' ')
        memmove(identity->options, identity->options + 1, strlen(identity->options));
    uint16_t size = 0;
    uint64_t size_at = sampler_objects_symbol(objects, memory, "PL_interp_size");
    if (size_at != 0 && sampler_memory_read(memory, size_at, &size, sizeof size))
        identity->interp_size = size;
    snprintf(identity->machine, sizeof identity->machine, "%s", machine_name(objects->machine));
    return true;
}

static uint64_t within(uint64_t interpreter, uint32_t offset)
{
    return offset == SAMPLER_ABSENT ? 0 : interpreter + offset;
}

/* The variables of every perl; the others are those of perls with threads. A variable has the same name as a
 * member, in the layout and as a symbol. */
/* clang-format off */
#define VARIABLES(X) \
    X(op) X(curcop) X(curstackinfo) X(curpad) X(defstash) X(main_cv) X(main_root) X(origfilename) X(perldb) \
    X(cop_seqmax) X(phase) X(stack_sp) X(sv_count) X(basetime) X(top_env)
#define THREADED_VARIABLES(X) X(stashpad) X(stashpadmax)
/* clang-format on */

static void locate_members(sampler_interpreter *i)
{
#define LOCATE(name) i->at.name = within(i->address, i->layout.interp_##name);
    VARIABLES(LOCATE)
    THREADED_VARIABLES(LOCATE)
#undef LOCATE
}

/* Without MULTIPLICITY each variable is a symbol. */
static bool locate_symbols(sampler_interpreter *i, sampler_objects *objects)
{
    bool all = true;
    memset(&i->at, 0, sizeof i->at);
#define LOCATE(name) all &= (i->at.name = sampler_objects_symbol(objects, &i->memory, "PL_" #name)) != 0;
    VARIABLES(LOCATE)
#undef LOCATE
    return all;
}

/* Perl frees the main program's CV before it destroys what is left. */
static bool has_main_cv(const sampler_interpreter *i)
{
    sampler_sv sv;
    uint64_t main_cv = sampler_memory_pointer(&i->memory, i->at.main_cv);
    if (main_cv == 0)
        return sampler_memory_u32(&i->memory, i->at.phase) == i->layout.phase_destruct;
    return sampler_sv_read_as(i, main_cv, i->layout.sv_type_cv, &sv);
}

bool sampler_interpreter_verify(const sampler_interpreter *i)
{
    sampler_stackinfo stack;
    sampler_sv arguments;
    return sampler_name_stash_is(i, sampler_memory_pointer(&i->memory, i->at.defstash), "main") &&
           has_main_cv(i) &&
           sampler_stackinfo_read(i, sampler_memory_pointer(&i->memory, i->at.curstackinfo), &stack) &&
           sampler_stackinfo_is_possible(&stack) &&
           sampler_sv_read_as(i, stack.arguments, i->layout.sv_type_av, &arguments);
}

/* The names of ops begin and end as those of perl do: it has one more than there are kinds. */
static bool has_op_names(const sampler_interpreter *i)
{
    static const char *const wanted[] = {"null", "stub", "freed"};
    const uint64_t at[] = {0, 1, i->layout.op_count};
    char name[16];
    for (int n = 0; n < 3; n++)
        if (!sampler_memory_string(&i->memory, sampler_memory_pointer(&i->memory, i->op_names + 8 * at[n]),
                                   name, sizeof name) ||
            strcmp(name, wanted[n]) != 0)
            return false;
    return true;
}

/* What sampler_interpreter_verify() leaves out, because it may be otherwise for moments while the program
 * runs: the contexts in use are of a kind that there is, and those of subs have CVs. */
static bool has_contexts(const sampler_interpreter *i)
{
    enum { CHECKED = 20 };
    const sampler_layout *l = &i->layout;
    unsigned char context[SAMPLER_CX_ROOM];
    sampler_stackinfo stack;
    sampler_sv sv;
    if (!sampler_stackinfo_read(i, sampler_memory_pointer(&i->memory, i->at.curstackinfo), &stack))
        return false;
    for (int32_t n = 0; n <= stack.at && n < CHECKED; n++) {
        if (!sampler_memory_read(&i->memory, stack.contexts + (uint64_t)n * l->cx_size, context, l->cx_size))
            return false;
        const uint32_t kind = context[l->cx_kind] & l->cx_kind_mask;
        const uint64_t cv = sampler_u64(context + l->cx_sub_cv);
        if ((l->cx_kind_most != SAMPLER_ABSENT && kind > l->cx_kind_most) ||
            (kind == l->cx_kind_sub && (sampler_u64(context + l->cx_oldcop) == 0 ||
                                        (cv != 0 && !sampler_sv_read_as(i, cv, l->sv_type_cv, &sv)))))
            return false;
    }
    return true;
}

typedef struct attempt {
    sampler_interpreter *i;
    sampler_objects *objects;
    uint64_t current; /* address of PL_curinterp */
    enum sampler_found found;
} attempt;

/* Subs come and go while contexts are read, so they are read more than once. */
static bool try_layout(void *context, const sampler_layout *layout)
{
    enum { TRIES = 20 };
    attempt *a = context;
    sampler_interpreter *i = a->i;
    i->layout = *layout;
    i->address = layout->multiplicity ? sampler_memory_pointer(&i->memory, a->current) : 0;
    a->found = SAMPLER_NOT_STARTED;
    if (layout->multiplicity && i->address == 0)
        return false;
    if (layout->multiplicity)
        locate_members(i);
    else if (!locate_symbols(i, a->objects))
        return false;
    for (int tries = 0; tries < TRIES && a->found != SAMPLER_FOUND; tries++)
        if (has_op_names(i) && sampler_interpreter_verify(i) && has_contexts(i))
            a->found = SAMPLER_FOUND;
    return a->found == SAMPLER_FOUND;
}

static enum sampler_found locate(sampler_interpreter *i, sampler_objects *objects, const char *offsets,
                                 sampler_identity *identity)
{
    attempt a = {i, objects, sampler_objects_symbol(objects, &i->memory, "PL_curinterp"), SAMPLER_NO_LAYOUT};
    if (a.current == 0 && sampler_objects_symbol(objects, &i->memory, "PL_curcop") == 0)
        return SAMPLER_NOT_PERL;
    if (!identify(objects, &i->memory, identity))
        return SAMPLER_NOT_PERL;
    i->op_names = sampler_objects_symbol(objects, &i->memory, "PL_op_name");
    i->environ = sampler_objects_symbol(objects, &i->memory, "environ");
    sampler_layouts_try(offsets, identity, try_layout, &a);
    return a.found;
}

bool sampler_interpreter_move(sampler_interpreter *i, uint64_t address)
{
    if (!i->layout.multiplicity)
        return false;
    i->address = address;
    locate_members(i);
    return sampler_interpreter_verify(i) && has_contexts(i);
}

enum sampler_found sampler_interpreter_find(sampler_interpreter *interpreter, const pid_t *pid,
                                            const char *offsets, sampler_identity *identity,
                                            sampler_pthreads *pthreads)
{
    sampler_objects objects;
    memset(interpreter, 0, sizeof *interpreter);
    memset(identity, 0, sizeof *identity);
    interpreter->memory = sampler_memory_of(pid);
    enum sampler_found found = SAMPLER_NOT_READABLE;
    if (sampler_objects_find(&objects, *pid, &interpreter->memory) && objects.readable > 0) {
        identity->other_width = objects.other_width;
        identity->is_stripped = objects.is_static && objects.symtab == NULL;
        found = locate(interpreter, &objects, offsets, identity);
        if (found == SAMPLER_FOUND)
            sampler_pthreads_find(pthreads, &objects, &interpreter->memory, "PL_thr_key");
    }
    int error_number = errno;
    sampler_objects_clear(&objects);
    errno = error_number;
    return found;
}
