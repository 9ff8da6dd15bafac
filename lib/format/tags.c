/* Tags: their names and their places in a set. */
#include "format/tags.h"

const uint32_t nytp_tag_bits[256] = {
#define BIT(name, n) [NYTP_##name] = NYTP_BIT(name),
    NYTP_TAGS(BIT)
#undef BIT
};

uint32_t nytp_tag_bit(nytp_tag tag)
{
    return nytp_tag_bits[tag & 0xFF];
}

const char *nytp_tag_name(int tag)
{
    switch (tag) {
#define NAME(name, n)                                                                                        \
    case NYTP_##name: return #name;
        NYTP_TAGS(NAME)
#undef NAME
    default: return "unknown";
    }
}
