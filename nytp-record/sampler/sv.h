/* The head of an SV, which all of perl's values begin with: what it is, and where the rest is. */
#ifndef RECORD_SV_H
#define RECORD_SV_H

#include "interpreter.h"

typedef struct record_sv {
    uint64_t body;
    uint64_t u; /* of a string its bytes, of a reference its referent, of an array its elements, ... */
    uint32_t flags;
} record_sv;

/* head: sv_size bytes. */
record_sv record_sv_parse(const record_layout *layout, const unsigned char *head);

static inline bool record_sv_is(const record_layout *layout, const record_sv *sv, uint32_t type)
{
    return (sv->flags & layout->sv_type_mask) == type;
}

/* false: the address is 0, or cannot be read. */
bool record_sv_read(const record_interpreter *i, uint64_t address, record_sv *sv);

/* The same of one that must have this type, sv_type_*, and a body. false: it is something else. */
bool record_sv_read_as(const record_interpreter *i, uint64_t address, uint32_t type, record_sv *sv);

#endif
