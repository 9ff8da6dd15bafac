/* The names of tags, and their bits in a set. */
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

/* The name after "a" or "an". The only vowels that tags begin with are A and O. */
#define WITH_ARTICLE(name) (#name[0] == 'A' || #name[0] == 'O' ? "an " #name : "a " #name)

const char *nytp_tag_phrase(int tag)
{
    switch ((nytp_tag)tag) {
#define CASE(name, n)                                                                                        \
    case NYTP_##name: return WITH_ARTICLE(name);
        NYTP_TAGS(CASE)
#undef CASE
    }
    return "an unknown";
}

const char *nytp_tag_name(int tag)
{
    switch ((nytp_tag)tag) {
#define CASE(name, n)                                                                                        \
    case NYTP_##name: return #name;
        NYTP_TAGS(CASE)
#undef CASE
    }
    return "unknown";
}
