#include "stackinfo.h"

#include "structure.h"

record_stackinfo record_stackinfo_parse(const record_layout *l, const unsigned char *bytes)
{
    return (record_stackinfo){.contexts = record_u64(bytes + l->si_cxstack),
                              .previous = record_u64(bytes + l->si_prev),
                              .arguments = record_u64(bytes + l->si_stack),
                              .at = record_i32(bytes + l->si_cxix),
                              .most = record_i32(bytes + l->si_cxmax),
                              .type = record_i32(bytes + l->si_type)};
}

bool record_stackinfo_read(const record_interpreter *i, uint64_t address, record_stackinfo *stack)
{
    unsigned char bytes[RECORD_SI_ROOM];
    if (!record_memory_read(&i->memory, address, bytes, i->layout.si_size))
        return false;
    *stack = record_stackinfo_parse(&i->layout, bytes);
    return true;
}

bool record_stackinfo_is_possible(const record_stackinfo *s)
{
    enum { MOST_INDEX = 100 * 1000 * 1000 };
    return s->at >= -1 && s->at <= s->most && s->most < MOST_INDEX && (s->at < 0 || s->contexts != 0);
}
