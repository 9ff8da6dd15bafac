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
    static const char *const words[][2] = {
        {"alloc", "allocated memory"},     {"live", "live memory"}, {"peak", "memory at the peak"},
        {"temporary", "temporary memory"}, {"held", "held memory"}, {"grown", "memory that came and stays"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(memory_of, words[i][0]) == 0)
            return words[i][1];
    return "memory";
}
