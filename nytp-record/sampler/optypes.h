/* What perl's ops are: their names, which the process itself has, and those that matter for stacks. */
#ifndef RECORD_OPTYPES_H
#define RECORD_OPTYPES_H

#include "interpreter.h"

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

static inline bool record_optypes_is_statement(const record_optypes *types, uint32_t type)
{
    return type == types->nextstate || type == types->dbstate;
}

/* The name of a built-in that is shown as a sub, for example sleep; NULL: it is not one of those. */
const char *record_optypes_builtin(const record_optypes *types, uint32_t type);

#endif
