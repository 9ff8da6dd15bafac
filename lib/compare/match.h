/* Which name of OLD is which of NEW.
 *
 * Equal names are the same. Names with lines in them ("A::__ANON__[A.pm:12]", "A::BEGIN@3", "(eval
 * 0)[t.pl:26]") and with absolute paths change without a change of what they name. Those that differ in
 * nothing else are a group. If a group is as large in both sides, its members are matched: those whose names
 * are equal first, the rest in order of their lines; or all in order of their lines, if fewer than half have
 * equal names. Otherwise the rest is gone or new, and has a sum.
 */
#pragma once

#include "compare/run.h"

typedef struct nytp_match {
    uint32_t key[NYTP_SIDES]; /* NYTP_NO_KEY: that side does not have it */
    uint32_t sum;             /* index of the sum that it is part of, plus 1; 0: none */
    char *sum_name;           /* of a sum: the name of its group, with # for lines; NULL: no sum */
} nytp_match;

/* Matches the names. sides says, by key, which sides have it: a bit for each. Returns an array of nytp_match,
 * which the caller must g_array_unref(). subs: only what follows a bracket or an @ may have lines and paths.
 */
GArray *nytp_match_names(const nytp_names *names, const uint8_t *sides, bool subs);

/* Matches two lists of different names of subs. Returns an array: by index of old, that of the same sub in
 * new, or NYTP_NO_KEY. The caller must g_free() it. */
uint32_t *nytp_match_lists(const nytp_str *old, uint32_t old_count, const nytp_str *new, uint32_t new_count);
