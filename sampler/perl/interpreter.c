#include "sampler/perl/interpreter.h"

#include "sampler/perl/layouts.h"
#include "sampler/perl/names.h"
#include "sampler/perl/stackinfo.h"
#include "sampler/perl/sv.h"
#include "sampler/process/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

static void locate_members(sampler_interpreter *i)
{
    const sampler_layout *l = &i->layout;
    i->at = (sampler_variables){
        .op = within(i->address, l->interp_op),
        .curcop = within(i->address, l->interp_curcop),
        .curstackinfo = within(i->address, l->interp_curstackinfo),
        .curpad = within(i->address, l->interp_curpad),
        .defstash = within(i->address, l->interp_defstash),
        .main_cv = within(i->address, l->interp_main_cv),
        .main_root = within(i->address, l->interp_main_root),
        .stashpad = within(i->address, l->interp_stashpad),
        .stashpadmax = within(i->address, l->interp_stashpadmax),
        .origfilename = within(i->address, l->interp_origfilename),
        .perldb = within(i->address, l->interp_perldb),
        .cop_seqmax = within(i->address, l->interp_cop_seqmax),
        .phase = within(i->address, l->interp_phase),
        .stack_sp = within(i->address, l->interp_stack_sp),
    };
}

/* Without MULTIPLICITY each variable is a symbol. */
static bool locate_symbols(sampler_interpreter *i, sampler_objects *objects)
{
    const struct {
        const char *name;
        uint64_t *address;
    } wanted[] = {
        {"PL_op", &i->at.op},
        {"PL_curcop", &i->at.curcop},
        {"PL_curstackinfo", &i->at.curstackinfo},
        {"PL_curpad", &i->at.curpad},
        {"PL_defstash", &i->at.defstash},
        {"PL_main_cv", &i->at.main_cv},
        {"PL_main_root", &i->at.main_root},
        {"PL_origfilename", &i->at.origfilename},
        {"PL_perldb", &i->at.perldb},
        {"PL_cop_seqmax", &i->at.cop_seqmax},
        {"PL_phase", &i->at.phase},
        {"PL_stack_sp", &i->at.stack_sp},
    };
    bool all = true;
    memset(&i->at, 0, sizeof i->at);
    for (size_t n = 0; n < sizeof wanted / sizeof wanted[0]; n++) {
        *wanted[n].address = sampler_objects_symbol(objects, &i->memory, wanted[n].name);
        all = all && *wanted[n].address != 0;
    }
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
    errno = 0;
    bool found_any = sampler_objects_find(&objects, *pid, &interpreter->memory) && objects.count > 0;
    identity->other_width = objects.other_width;
    if (!found_any && objects.other_width)
        return SAMPLER_NOT_PERL;
    if (!found_any) {
        free(objects.list);
        if (errno == 0)
            errno = ESRCH; /* a zombie has no mappings */
        return SAMPLER_NOT_READABLE;
    }
    enum sampler_found found = locate(interpreter, &objects, offsets, identity);
    free(objects.list);
    return found;
}
