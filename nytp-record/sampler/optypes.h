/* What perl's ops are: their names, which the process itself has, and those that matter for stacks. */
#ifndef RECORD_OPTYPES_H
#define RECORD_OPTYPES_H

#include "interpreter.h"
#include "structure.h"

enum { RECORD_OPTYPE_NAME_ROOM = 24 };

typedef struct record_optypes {
    uint32_t count;
    uint32_t nextstate, dbstate, entersub, entereval, require, dofile, pushmark, gv, rv2cv, substcont;
    struct {
        char name[RECORD_OPTYPE_NAME_ROOM];
        bool is_builtin; /* one of those that the collector shows as subs: they wait, or take long */
    } * of;
} record_optypes;

/* Reads the names. false: they cannot be read. */
bool record_optypes_read(record_optypes *types, const record_interpreter *i);
void record_optypes_clear(record_optypes *types);

/* The type of an op by the two bytes at op_type. */
static inline uint32_t record_optype_parse(const record_layout *layout, const void *bytes)
{
    return record_u16(bytes) & layout->op_type_mask;
}

/* The same of the op at an address; RECORD_ABSENT: it cannot be read. */
uint32_t record_optype_read(const record_interpreter *i, uint64_t op);

static inline bool record_optypes_is_statement(const record_optypes *types, uint32_t type)
{
    return type == types->nextstate || type == types->dbstate;
}

/* The name of a built-in that is shown as a sub, for example sleep; NULL: it is not one of those. */
const char *record_optypes_builtin(const record_optypes *types, uint32_t type);

#endif
