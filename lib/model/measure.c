#include "model/measure.h"

#include "base/ticks.h"

#include <glib.h>
#include <string.h>

/* By the attribute unit: the first one is what ticks are without it. */
static const struct {
    const char *unit;
    nytp_measure measure;
} known[] = {{"time",
              {.noun = "time",
               .title = "Time",
               .units = {{"s", "seconds", 1, false},
                         {"ms", "milliseconds", 1e3, false},
                         {"us", "microseconds", 1e6, false},
                         {"ns", "nanoseconds", 1e9, true}},
               .ticks_per_base = NYTP_USUAL_TICKS_PER_SEC}},
             {"bytes",
              {.noun = "bytes",
               .title = "Bytes",
               .units = {{"GiB", "gibibytes", 0x1p-30, false},
                         {"MiB", "mebibytes", 0x1p-20, false},
                         {"KiB", "kibibytes", 0x1p-10, false},
                         {"B", "bytes", 1, false}},
               .ticks_per_base = 1}}};

nytp_measure nytp_measure_new(void)
{
    return known[0].measure;
}

bool nytp_measure_is_time(const nytp_measure *measure)
{
    return measure->noun == known[0].measure.noun;
}

bool nytp_measure_is_bytes(const nytp_measure *measure)
{
    return measure->noun == known[1].measure.noun;
}

/* A unit that is not known has its own name, and numbers without decimals. */
static nytp_measure other(nytp_str unit)
{
    enum { LONGEST = 32 };
    bool is_word = unit.length > 0 && unit.length <= LONGEST;
    for (size_t i = 0; i < unit.length; i++)
        is_word &= unit.bytes[i] > ' ' && unit.bytes[i] < 0x7F;
    g_autofree char *text = is_word ? g_strndup(unit.bytes, unit.length) : g_strdup("ticks");
    g_autofree char *title = g_strdup_printf("%c%s", g_ascii_toupper(*text), text + 1);
    const char *name = g_intern_string(text);
    return (nytp_measure){.noun = name,
                          .title = g_intern_string(title),
                          .units = {{name, "none", 1, false}},
                          .ticks_per_base = 1};
}

static nytp_measure measure_of(nytp_str unit)
{
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (nytp_str_is(unit, known[i].unit))
            return known[i].measure;
    return other(unit);
}

void nytp_measure_note(nytp_measure *measure, nytp_str key, nytp_str value)
{
    const double most_samples = 1e9;
    if (nytp_str_is(key, "unit")) {
        const double samples_per_base = measure->samples_per_base, ticks_per_s = measure->ticks_per_base;
        *measure = measure_of(value);
        measure->samples_per_base = samples_per_base;
        if (nytp_measure_is_time(measure))
            measure->ticks_per_base = ticks_per_s;
    } else if (nytp_str_is(key, "ticks_per_sec")) {
        const double rate = nytp_str_number(value);
        if (nytp_measure_is_time(measure) && nytp_is_rate(rate))
            measure->ticks_per_base = rate;
    } else if (nytp_str_is(key, "sampled_hz")) {
        const double hz = nytp_str_number(value);
        measure->samples_per_base = hz > 0 && hz < most_samples ? hz : 0;
    } else if (nytp_str_is(key, "sampled_bytes")) {
        const double bytes = nytp_str_number(value);
        measure->samples_per_base = bytes >= 1 && bytes < most_samples ? 1 / bytes : 0;
    }
}

nytp_str nytp_profile_attribute(const nytp_profile *profile, const char *key)
{
    const nytp_setting *s = nytp_profile_setting_by_key(profile, NYTP_ATTRIBUTE, key);
    return s != NULL ? s->value : nytp_str_of("");
}

nytp_measure nytp_profile_measure(const nytp_profile *profile)
{
    static const char *const keys[] = {"unit", "sampled_hz", "sampled_bytes"};
    nytp_measure measure = nytp_measure_new();
    measure.ticks_per_base = nytp_profile_ticks_per_sec(profile);
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const nytp_setting *setting = nytp_profile_setting_by_key(profile, NYTP_ATTRIBUTE, keys[i]);
        if (setting != NULL)
            nytp_measure_note(&measure, setting->key, setting->value);
    }
    return measure;
}

/* POSIX clocks of processor time: CLOCK_PROCESS_CPUTIME_ID and CLOCK_THREAD_CPUTIME_ID. */
bool nytp_profile_has_cpu_clock(const nytp_profile *profile)
{
    const nytp_str id = nytp_profile_attribute(profile, "clock_id");
    return nytp_str_is(id, "2") || nytp_str_is(id, "3");
}

const nytp_unit *nytp_measure_base(const nytp_measure *measure)
{
    const nytp_unit *unit = measure->units;
    while (unit->per_base != 1)
        unit++;
    return unit;
}

const nytp_unit *nytp_measure_smallest(const nytp_measure *measure)
{
    const nytp_unit *last = measure->units + NYTP_MEASURE_UNITS - 1;
    while (last->name == NULL)
        last--;
    return last;
}

nytp_unit nytp_measure_unit(const nytp_measure *measure, const char *name)
{
    if (strcmp(name, "ticks") == 0)
        return (nytp_unit){"ticks", "none", measure->ticks_per_base, false};
    for (const nytp_unit *u = measure->units; u <= nytp_measure_smallest(measure); u++)
        if (strcmp(u->name, name) == 0)
            return *u;
    return *nytp_measure_base(measure);
}

int nytp_measure_decimals(const nytp_measure *measure, const nytp_unit *unit)
{
    const double least = measure->samples_per_base > 0 ? measure->samples_per_base : measure->ticks_per_base;
    return (int)fmax(0, ceil(log10(least / unit->per_base)));
}
