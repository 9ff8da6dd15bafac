#include "base/closest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters have to be changed, added or left out. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[NYTP_CLOSEST_MAX + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

void nytp_closest_try(nytp_closest *c, const char *name, size_t length)
{
    enum { MOST = 2 };
    const size_t wrong = strlen(c->wrong);
    if (length > NYTP_CLOSEST_MAX || wrong > NYTP_CLOSEST_MAX)
        return;
    size_t found = MOST + 2;
    for (size_t from = 0; from <= length && from + wrong <= length + MOST; from++) {
        const bool is_name = from == 0 || (from > 2 && memcmp(name + from - 2, "::", 2) == 0);
        if (!is_name || length - from > wrong + MOST)
            continue;
        const size_t away = distance(c->wrong, wrong, name + from, length - from);
        found = away <= MOST ? least(found, away + (from > 0)) : found;
    }
    if (found > MOST + 1 || found >= least(wrong, length) || (c->distance > 0 && found + 1 >= c->distance))
        return;
    c->distance = found + 1;
    memcpy(c->best, name, length);
    c->best[length] = '\0';
}

const char *nytp_closest_hint(const nytp_closest *c)
{
    static char hint[sizeof c->best + 4];
    snprintf(hint, sizeof hint, c->distance > 0 ? ": %s?" : "", c->best);
    return hint;
}
