#include "sv.h"

#include "structure.h"

record_sv record_sv_parse(const record_layout *l, const unsigned char *head)
{
    return (record_sv){.body = record_u64(head + l->sv_any),
                       .u = record_u64(head + l->sv_u),
                       .flags = record_u32(head + l->sv_flags)};
}

bool record_sv_read(const record_interpreter *i, uint64_t address, record_sv *sv)
{
    unsigned char head[RECORD_SV_ROOM];
    if (address == 0 || !record_memory_read(&i->memory, address, head, i->layout.sv_size))
        return false;
    *sv = record_sv_parse(&i->layout, head);
    return true;
}

bool record_sv_read_as(const record_interpreter *i, uint64_t address, uint32_t type, record_sv *sv)
{
    return record_sv_read(i, address, sv) && record_sv_is(&i->layout, sv, type) && sv->body != 0;
}
