/* The points of a COVER_UNIT: what can run in it, encoder and decoder side by side. */
#pragma once

#include "format/primitives.h"

/* What a point is. All but a statement are operators whose right operand may not be evaluated; if and unless,
 * while and until are among them. */
enum nytp_cover_op {
    NYTP_COVER_STATEMENT,
    NYTP_COVER_AND,
    NYTP_COVER_OR,
    NYTP_COVER_DOR,
    NYTP_COVER_AND_ASSIGN,
    NYTP_COVER_OR_ASSIGN,
    NYTP_COVER_DOR_ASSIGN,
    NYTP_COVER_CONDITION, /* ?: and if with else */
    NYTP_COVER_DEFAULT    /* of a signature's parameter */
};

/* Returns whether what the operator does shows whether its left operand, or condition, was true. */
static inline bool nytp_cover_shows_operand(enum nytp_cover_op op)
{
    return op == NYTP_COVER_AND || op == NYTP_COVER_OR || op == NYTP_COVER_CONDITION;
}

/* The context in which its value is used. */
enum nytp_cover_want { NYTP_COVER_OF_SUB, NYTP_COVER_VOID, NYTP_COVER_SCALAR, NYTP_COVER_LIST };

typedef struct nytp_cover_point {
    enum nytp_cover_op op;
    enum nytp_cover_want want;
    uint32_t line;
    int64_t of;    /* number of a point of the unit, or -1: of a statement, the point that it runs with; of an
                      operator, the one that has it as its left operand or condition, or as its right operand */
    bool is_right; /* it is the right operand of that point */
    bool has_values; /* of an operator: the value of its right operand is seen */
} nytp_cover_point;

enum {
    NYTP_COVER_OP_MASK = 0x0F,
    NYTP_COVER_WANT_SHIFT = 4,
    NYTP_COVER_IS_OF = 0x40,
    NYTP_COVER_IS_RIGHT = 0x80,
    NYTP_COVER_HAS_VALUES = 0x100,
    NYTP_COVER_POINT_MAX = 3 * NYTP_U32_MAX, /* bytes */
    NYTP_COVER_POINTS_MAX = 1 << 24          /* of a unit; more are taken for corruption */
};

/* Writes a point after one of line `before`. Returns the end. */
static inline unsigned char *nytp_cover_point_put(unsigned char *p, const nytp_cover_point *point,
                                                  uint32_t before)
{
    p = nytp_put_u32(p, (uint32_t)point->op | (uint32_t)point->want << NYTP_COVER_WANT_SHIFT |
                            (point->of >= 0 ? (uint32_t)NYTP_COVER_IS_OF : 0) |
                            (point->is_right ? (uint32_t)NYTP_COVER_IS_RIGHT : 0) |
                            (point->has_values ? (uint32_t)NYTP_COVER_HAS_VALUES : 0));
    p = nytp_put_i32(p, (int32_t)(point->line - before));
    return point->of >= 0 ? nytp_put_u32(p, (uint32_t)point->of) : p;
}

/* Reads the point after one of line `before`, at list->bytes, and takes it off the list. The bytes of a
 * string of a chunk are followed by padding, as primitives need. Returns false if no point is there, or none
 * that makes sense. */
static inline bool nytp_cover_point_get(nytp_str *list, nytp_cover_point *point, uint32_t before)
{
    const unsigned char *const bytes = (const unsigned char *)list->bytes;
    nytp_cursor c = {.at = bytes, .end = bytes + list->length};
    if (list->length == 0)
        return false;
    const uint32_t kind = nytp_get_u32(&c);
    point->op = (enum nytp_cover_op)(kind & NYTP_COVER_OP_MASK);
    point->want = (enum nytp_cover_want)(kind >> NYTP_COVER_WANT_SHIFT & 3);
    point->line = before + nytp_get_u32(&c);
    point->of = (kind & NYTP_COVER_IS_OF) != 0 ? (int64_t)nytp_get_u32(&c) : -1;
    point->is_right = (kind & NYTP_COVER_IS_RIGHT) != 0;
    point->has_values = (kind & NYTP_COVER_HAS_VALUES) != 0;
    if (c.at > c.end || kind >= 2 * NYTP_COVER_HAS_VALUES || point->op > NYTP_COVER_DEFAULT)
        return false;
    list->bytes = (const char *)c.at;
    list->length = (size_t)(c.end - c.at);
    return true;
}
