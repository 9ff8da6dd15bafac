/* What perl's ops are: their names, which the process itself has, and those that matter for stacks. */
#pragma once

#include "sampler/perl/interpreter.h"

enum { SAMPLER_OPTYPE_NAME_ROOM = 24 };

typedef struct sampler_optypes {
    uint32_t count;
    uint32_t nextstate, dbstate, entersub, entereval, require, dofile, gv, rv2cv, substcont;
    uint32_t method, method_named, method_super, method_redir, method_redir_super;
    struct {
        char name[SAMPLER_OPTYPE_NAME_ROOM];
        bool is_builtin; /* one of those that the collector shows as subs: they wait, or take long */
    } * of;
} sampler_optypes;

/* Reads the names. Returns false if they cannot be read. */
bool sampler_optypes_read(sampler_optypes *types, const sampler_interpreter *i);
void sampler_optypes_clear(sampler_optypes *types);

/* The type of an op by the two bytes at op_type. */
static inline uint32_t sampler_optype_parse(const sampler_layout *layout, const void *bytes)
{
    return sampler_u16(bytes) & layout->op_type_mask;
}

/* Returns the type of the op at an address, or SAMPLER_ABSENT if that cannot be read. */
uint32_t sampler_optype_read(const sampler_interpreter *i, uint64_t op);

static inline bool sampler_optypes_is_statement(const sampler_optypes *types, uint32_t type)
{
    return type == types->nextstate || type == types->dbstate;
}

/* Returns the name of a built-in that is shown as a sub, for example sleep; NULL for other ops. */
const char *sampler_optypes_builtin(const sampler_optypes *types, uint32_t type);
