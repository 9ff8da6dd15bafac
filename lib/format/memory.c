#include "format/memory.h"

#include "base/str.h"

#include <string.h>

#define NAME(name) #name,
const char *const nytp_value_types[] = {NYTP_VALUE_TYPES(NAME)};

const nytp_memory nytp_memory_unknown = {1, {"other", sizeof "other" - 1, false}};

bool nytp_memory_is_sum(nytp_str key)
{
    const size_t length = sizeof NYTP_VALUES_KEY - 1;
    return nytp_str_is(key, "heap_samples") || nytp_str_is(key, "peak_bytes") ||
           (key.length > length && memcmp(key.bytes, NYTP_VALUES_KEY, length) == 0);
}

bool nytp_memory_parse(nytp_str value, nytp_memory *memory)
{
    const uint64_t most = UINT64_C(1) << 53;
    uint64_t blocks = 0;
    size_t digits = 0;
    while (digits < value.length && value.bytes[digits] >= '0' && value.bytes[digits] <= '9' &&
           blocks <= most)
        blocks = blocks * 10 + (uint64_t)(value.bytes[digits++] - '0');
    *memory = nytp_memory_unknown;
    if (blocks == 0 || blocks > most || digits + 1 >= value.length || value.bytes[digits] != ' ')
        return false;
    *memory = (nytp_memory){blocks, {value.bytes + digits + 1, value.length - digits - 1, value.utf8}};
    return true;
}

nytp_memory nytp_memory_read(nytp_str value)
{
    nytp_memory memory;
    nytp_memory_parse(value, &memory);
    return memory;
}
