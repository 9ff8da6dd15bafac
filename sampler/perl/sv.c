#include "sampler/perl/sv.h"

#include "sampler/perl/structure.h"

sampler_sv sampler_sv_parse(const sampler_layout *l, const unsigned char *head)
{
    return (sampler_sv){.body = sampler_u64(head + l->sv_any),
                        .u = sampler_u64(head + l->sv_u),
                        .flags = sampler_u32(head + l->sv_flags)};
}

bool sampler_sv_read(const sampler_interpreter *i, uint64_t address, sampler_sv *sv)
{
    unsigned char head[SAMPLER_SV_ROOM];
    if (address == 0 || !sampler_memory_read(&i->memory, address, head, i->layout.sv_size))
        return false;
    *sv = sampler_sv_parse(&i->layout, head);
    return true;
}

bool sampler_sv_read_as(const sampler_interpreter *i, uint64_t address, uint32_t type, sampler_sv *sv)
{
    return sampler_sv_read(i, address, sv) && sampler_sv_is(&i->layout, sv, type) && sv->body != 0;
}
