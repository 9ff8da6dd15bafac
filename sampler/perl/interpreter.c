#include "sampler/perl/interpreter.h"

#include "sampler/perl/layouts.h"
#include "sampler/perl/names.h"
#include "sampler/perl/stackinfo.h"
#include "sampler/perl/sv.h"
#include "sampler/process/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
    X(cop_seqmax) X(phase) X(stack_sp)
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

static enum sampler_found locate(sampler_interpreter *i, sampler_objects *objects, const char *offsets,
                                 sampler_identity *identity)
{
    uint64_t current = sampler_objects_symbol(objects, &i->memory, "PL_curinterp");
    if (current == 0 && sampler_objects_symbol(objects, &i->memory, "PL_curcop") == 0)
        return SAMPLER_NOT_PERL;
    if (!identify(objects, &i->memory, identity))
        return SAMPLER_NOT_PERL;
    if (!sampler_layouts_choose(&i->layout, offsets, identity->version, identity->options))
        return SAMPLER_NO_LAYOUT;
    i->op_names = sampler_objects_symbol(objects, &i->memory, "PL_op_name");
    i->environ = sampler_objects_symbol(objects, &i->memory, "environ");
    i->address = i->layout.multiplicity ? sampler_memory_pointer(&i->memory, current) : 0;
    if (i->layout.multiplicity && i->address == 0)
        return SAMPLER_NOT_STARTED;
    if (i->layout.multiplicity)
        locate_members(i);
    else if (!locate_symbols(i, objects))
        return SAMPLER_NO_LAYOUT;
    return sampler_interpreter_verify(i) ? SAMPLER_FOUND : SAMPLER_NOT_STARTED;
}

enum sampler_found sampler_interpreter_find(sampler_interpreter *interpreter, const pid_t *pid,
                                            const char *offsets, sampler_identity *identity)
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
    }
    int error_number = errno;
    sampler_objects_clear(&objects);
    errno = error_number;
    return found;
}
