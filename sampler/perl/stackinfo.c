#include "sampler/perl/interpreter.h"

sampler_stackinfo sampler_stackinfo_parse(const sampler_layout *l, const unsigned char *bytes)
{
    return (sampler_stackinfo){.contexts = sampler_u64(bytes + l->si_cxstack),
                               .previous = sampler_u64(bytes + l->si_prev),
                               .arguments = sampler_u64(bytes + l->si_stack),
                               .at = sampler_i32(bytes + l->si_cxix),
                               .most = sampler_i32(bytes + l->si_cxmax),
                               .type = sampler_i32(bytes + l->si_type)};
}

bool sampler_stackinfo_read(const sampler_interpreter *i, uint64_t address, sampler_stackinfo *stack)
{
    unsigned char bytes[SAMPLER_SI_ROOM];
    if (!sampler_memory_read(&i->memory, address, bytes, i->layout.si_size))
        return false;
    *stack = sampler_stackinfo_parse(&i->layout, bytes);
    return true;
}

bool sampler_stackinfo_is_possible(const sampler_stackinfo *s)
{
    enum { MOST_INDEX = 100 * 1000 * 1000 };
    return s->at >= -1 && s->at <= s->most && s->most < MOST_INDEX && (s->at < 0 || s->contexts != 0);
}
