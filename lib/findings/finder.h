/* The rules, and what they share: the profile, and the list to which they add. */
#pragma once

#include "findings/findings.h"
#include "model/portable.h"

#include <glib.h>

typedef struct nytp_finder {
    const nytp_profile *profile;
    nytp_totals totals;
    double ticks_per_s, total_ticks; /* the time that is 100 % */
    bool sampled;                    /* calls were not counted */
    nytp_portable *portable;
    GHashTable *numbers; /* for rules about stacks: of the profile's subs, by name: GBytes to number + 1 */
    GArray *found;       /* nytp_finding; owns the texts */
} nytp_finder;

typedef struct nytp_found_place {
    uint32_t sub, fid, line;
} nytp_found_place;

/* Adds a finding if it concerns at least 1 % of the time. The sentence ends with its time and share. */
void nytp_find(nytp_finder *f, enum nytp_rule rule, double ticks, nytp_found_place place, const char *format,
               ...) G_GNUC_PRINTF(5, 6);

/* The number of a sub in the profile; UINT32_MAX: it has none of that name. */
uint32_t nytp_found_number(const nytp_finder *f, nytp_str name);

/* Names as sentences show them. The caller must g_free() them. */
char *nytp_found_name(const nytp_finder *f, nytp_str name);
char *nytp_found_file(const nytp_finder *f, uint32_t fid);                /* below @INC */
char *nytp_found_line(const nytp_finder *f, uint32_t fid, uint32_t line); /* "A/B.pm:12" */

void nytp_find_in_calls(nytp_finder *finder);
void nytp_find_in_lines(nytp_finder *finder);
void nytp_find_profiler(nytp_finder *finder);

/* A module is not used if no sub of its file is called but by the BEGIN block that loads it; import(),
 * unimport() and VERSION() do not count. Which block loads a file is known if the file has BEGIN blocks of
 * its own, which run below it. */
void nytp_find_unused_modules(nytp_finder *finder, nytp_calltree *stacks);

/* One query for each row of another (N+1) could be a single one, such as a join. */
void nytp_find_repeated_queries(nytp_finder *finder, nytp_calltree *stacks);
