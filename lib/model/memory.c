#include "model/measure.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

#define KEY(type) NYTP_VALUES_KEY #type,

void nytp_memory_about_note(nytp_memory_about *about, nytp_str key, nytp_str value)
{
    if (nytp_str_is(key, "heap_samples"))
        about->samples += nytp_str_number(value);
    if (nytp_str_is(key, "memory_of"))
        snprintf(about->of, sizeof about->of, "%.*s",
                 (int)(value.length < sizeof about->of ? value.length : sizeof about->of), value.bytes);
    if (nytp_str_is(key, "peak_bytes")) {
        about->peak_bytes += nytp_str_number(value);
        about->peaks++;
    }
    for (int type = 0; type < NYTP_VALUE_TYPE_COUNT; type++) {
        static const char *const keys[] = {NYTP_VALUE_TYPES(KEY)};
        if (nytp_str_is(key, keys[type]))
            about->values[type] += nytp_str_number(value);
    }
}

const char *nytp_memory_in_words(const char *memory_of)
{
    return strcmp(memory_of, "alloc") == 0  ? "allocated memory"
           : strcmp(memory_of, "live") == 0 ? "live memory"
           : strcmp(memory_of, "peak") == 0 ? "memory at the peak"
                                            : "memory";
}
