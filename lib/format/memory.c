#include "format/memory.h"

#include "base/str.h"

#include <string.h>

#define NAME(name) #name,
const char *const nytp_value_types[] = {NYTP_VALUE_TYPES(NAME)};

const nytp_memory nytp_memory_unknown = {1, 0, 0, {"other", sizeof "other" - 1, false}};

bool nytp_memory_is_sum(nytp_str key)
{
    const size_t length = sizeof NYTP_VALUES_KEY - 1;
    return nytp_str_is(key, "heap_samples") || nytp_str_is(key, "peak_bytes") ||
           (key.length > length && memcmp(key.bytes, NYTP_VALUES_KEY, length) == 0);
}

/* Takes a number and the blank after it off the text. Returns false if it does not begin so. */
static bool take_number(nytp_str *text, uint64_t *number)
{
    const uint64_t most = UINT64_C(1) << 53;
    size_t digits = 0;
    for (*number = 0; digits < text->length && text->bytes[digits] >= '0' && text->bytes[digits] <= '9' &&
                      *number <= most;)
        *number = *number * 10 + (uint64_t)(text->bytes[digits++] - '0');
    if (digits == 0 || *number > most || digits == text->length || text->bytes[digits] != ' ')
        return false;
    *text = (nytp_str){text->bytes + digits + 1, text->length - digits - 1, text->utf8};
    return true;
}

bool nytp_memory_parse(nytp_str value, nytp_memory *memory)
{
    nytp_memory m = {0};
    *memory = nytp_memory_unknown;
    if (!take_number(&value, &m.blocks) || m.blocks == 0)
        return false;
    if (take_number(&value, &m.samples) && !take_number(&value, &m.error_bytes))
        return false;
    m.kind = value;
    if (value.length > 0)
        *memory = m;
    return value.length > 0;
}

nytp_memory nytp_memory_read(nytp_str value)
{
    nytp_memory memory;
    nytp_memory_parse(value, &memory);
    return memory;
}
