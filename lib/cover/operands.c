#include "cover/units.h"

#include <string.h>

/* A value that is defined, true or not: beside TRUE and FALSE of nytp_cover_outcome. */
enum { DEFINED = 16 };

/* The values of an operator that it has without its right operand. */
static uint32_t left_values(enum nytp_cover_op op, uint32_t seen)
{
    if ((seen & NYTP_COVER_SKIPPED) == 0)
        return 0;
    switch (op) {
    case NYTP_COVER_AND:
    case NYTP_COVER_AND_ASSIGN: return NYTP_COVER_FALSE;
    case NYTP_COVER_OR:
    case NYTP_COVER_OR_ASSIGN: return NYTP_COVER_TRUE;
    case NYTP_COVER_DOR: return DEFINED;
    default: return 0;
    }
}

/* Which ways an operator goes for values of its left operand. */
static uint32_t ways_of(enum nytp_cover_op op, uint32_t values)
{
    if (op == NYTP_COVER_DOR)
        return (values & DEFINED) != 0 ? NYTP_COVER_SKIPPED : 0;
    const uint32_t when_true = op == NYTP_COVER_OR ? NYTP_COVER_SKIPPED : NYTP_COVER_RAN;
    return nytp_cover_shows_operand(op)
               ? ((values & NYTP_COVER_TRUE) != 0 ? when_true : 0) |
                     ((values & NYTP_COVER_FALSE) != 0 ? NYTP_COVER_BOTH_WAYS & ~when_true : 0)
               : 0;
}

/* Which values of its left operand the ways of an operator show. */
static uint32_t values_of(enum nytp_cover_op op, uint32_t ways)
{
    uint32_t values = 0;
    for (uint32_t value = NYTP_COVER_TRUE; value <= NYTP_COVER_FALSE; value <<= 1)
        if ((ways & ways_of(op, value)) != 0)
            values |= value;
    return values;
}

/* Returns the values of a right operand that is no operator, as far as the operator shows them that has the
 * whole value as its left operand. */
static uint32_t values_shown(const cover_unit *u, guint point)
{
    const nytp_cover_point *points = &g_array_index(u->points, nytp_cover_point, 0), *whole = &points[point];
    while (whole->is_right && whole->of >= 0)
        whole = &points[whole->of];
    return whole->of >= 0 ? values_of(points[whole->of].op, u->seen[whole->of]) : 0;
}

/* A value that an operand has without its own right operand is not in what was seen of the operators around
 * it. Operands come after their operators. */
uint8_t *nytp_cover_seen(const cover_unit *u)
{
    const guint count = u->points->len;
    uint8_t *seen = g_memdup2(u->seen, count);
    g_autofree uint8_t *of_right =
        g_malloc0(count); /* values without its right operand's, of one that is an operator */
    g_autofree bool *has_operator = g_new0(bool, count);
    for (guint i = count; i-- > 0;) {
        const nytp_cover_point *p = &g_array_index(u->points, nytp_cover_point, i);
        if (p->op == NYTP_COVER_STATEMENT)
            continue;
        if (p->has_values && !has_operator[i])
            seen[i] |= (uint8_t)values_shown(u, i);
        if (p->of < 0)
            continue;
        const uint32_t values = of_right[i] | left_values(p->op, seen[i]);
        if (p->is_right) {
            of_right[p->of] |= (uint8_t)values;
            has_operator[p->of] = true;
            seen[p->of] |= (uint8_t)((values | seen[i]) & NYTP_COVER_BOTH_VALUES);
        } else {
            seen[p->of] |= (uint8_t)ways_of(g_array_index(u->points, nytp_cover_point, p->of).op, values);
        }
    }
    return seen;
}
