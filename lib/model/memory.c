#include "model/memory.h"

#include <string.h>

const nytp_memory nytp_memory_unknown = {1, {"other", sizeof "other" - 1, false}};

nytp_memory nytp_memory_read(nytp_str value)
{
    const uint64_t most = UINT64_C(1) << 53;
    uint64_t blocks = 0;
    size_t digits = 0;
    while (digits < value.length && value.bytes[digits] >= '0' && value.bytes[digits] <= '9' &&
           blocks <= most)
        blocks = blocks * 10 + (uint64_t)(value.bytes[digits++] - '0');
    if (blocks == 0 || blocks > most || digits + 1 >= value.length || value.bytes[digits] != ' ')
        return nytp_memory_unknown;
    return (nytp_memory){blocks, {value.bytes + digits + 1, value.length - digits - 1, value.utf8}};
}
