#include "model/memory.h"

#include "base/str.h"

#include <stdio.h>
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

void nytp_memory_about_note(nytp_memory_about *about, nytp_str key, nytp_str value)
{
    if (nytp_str_is(key, "heap_samples"))
        about->samples += nytp_str_number(value);
    if (nytp_str_is(key, "memory_of"))
        snprintf(about->of, sizeof about->of, "%.*s",
                 (int)(value.length < sizeof about->of ? value.length : sizeof about->of), value.bytes);
    if (!nytp_str_is(key, "peak_bytes"))
        return;
    about->peak_bytes += nytp_str_number(value);
    about->peaks++;
}

const char *nytp_memory_in_words(const char *memory_of)
{
    return strcmp(memory_of, "alloc") == 0  ? "allocated memory"
           : strcmp(memory_of, "live") == 0 ? "live memory"
           : strcmp(memory_of, "peak") == 0 ? "memory at the peak"
                                            : "memory";
}
