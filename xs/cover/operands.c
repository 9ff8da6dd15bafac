/* Finds how operators go together, and where the value of a right operand is seen.
 *
 * The value is on the stack when the op that uses the operator's value begins, unless the operator was left
 * without its right operand, which its handler notes. If that op is `if`, ?:, && or ||, what it does says
 * which value that was. An op is asked for a value only if nothing else leads to it. What is seen of an
 * operator that is the right operand of another one says the value of that, too. */
#include "cover/ops.h"

typedef struct operand {
    OP *user;     /* the op that uses it */
    OP *kid;      /* of the user, which the operand is, or is in */
    int64_t site; /* of the user; -1 if it is no operator */
} operand;

static bool is_only_kid(const OP *o)
{
    return first_kid(o) != NULL && !OpHAS_SIBLING(first_kid(o)) && !is_begin(first_kid(o)) &&
           !is_former_begin(first_kid(o));
}

static bool is_assignment(enum nytp_cover_op op)
{
    return op == NYTP_COVER_AND_ASSIGN || op == NYTP_COVER_OR_ASSIGN || op == NYTP_COVER_DOR_ASSIGN;
}

/* Returns whether the op has the value of its kid: parentheses, and the assignment of ||=. */
static bool is_transparent(const OP *o)
{
    if (o->op_type == OP_NULL || o->op_type == OP_SCALAR)
        return is_only_kid(o);
    const OP *parent = o->op_type == OP_SASSIGN ? op_parent((OP *)o) : NULL;
    return parent != NULL && is_assignment(operator_of(parent)) && is_only_kid(o);
}

/* The site of an operator that has the one of number `before` in it, and is of the same text; -1: none. */
static int64_t site_of(const prof_cover_sites *s, uint32_t before, const OP *o)
{
    if (operator_of(o) == NYTP_COVER_STATEMENT)
        return -1;
    for (int64_t i = before; i-- > 0;)
        if (s->of[i].op == o)
            return s->of[i].text == s->of[before].text ? i : -1;
    return -1;
}

static operand operand_of(const prof_cover_sites *s, uint32_t site, OP *o)
{
    operand at = {op_parent(o), o, -1};
    while (at.user != NULL && is_transparent(at.user))
        at = (operand){op_parent(at.user), at.user, -1};
    if (at.user != NULL)
        at.site = site_of(s, site, at.user);
    return at;
}

/* Says of what the operator is the operand. */
static void relate(const prof_cover_sites *s, uint32_t site)
{
    nytp_cover_point *p = &s->of[site].point;
    const operand at = operand_of(s, site, s->of[site].op);
    if (at.site < 0)
        return;
    const bool is_left = at.kid == first_kid(at.user);
    if (!is_left && operator_of(at.user) >= NYTP_COVER_CONDITION)
        return; /* a value of ?: */
    p->of = at.site;
    p->is_right = !is_left;
}

static const OP *right_operand(const OP *operator)
{
    const OP *o = OpSIBLING(first_kid(operator));
    while (o != NULL && is_transparent(o))
        o = first_kid(o);
    return o;
}

/* Returns whether the operand has no value, or always the same one, or is a block. */
static bool is_without_values(const OP *o)
{
    switch (o->op_type) {
    case OP_CONST:
    case OP_UNDEF:
    case OP_REFGEN:
    case OP_SREFGEN:
    case OP_ANONLIST:
    case OP_ANONHASH:
    case OP_ANONCODE:
    case OP_BLESS:
    case OP_WARN:
    case OP_SCOPE:
    case OP_LEAVE:
    case OP_LINESEQ:
    case OP_RETURN:
    case OP_DIE:
    case OP_NEXT:
    case OP_LAST:
    case OP_REDO:
    case OP_GOTO:
    case OP_EXIT:
    case OP_EXEC: return true;
#if PERL_VERSION >= 38
    case OP_EMPTYAVHV: return true;
#endif
    default: return false;
    }
}

/* Returns whether only the kid leads to the op that comes next: not that of a block, and no value of ?:. */
static bool is_only_way(const OP *user)
{
    switch (PL_opargs[user->op_type] & OA_CLASS_MASK) {
    case OA_LOGOP:
    case OA_LOOP:
    case OA_COP: return false;
    default: return user->op_type != OP_SCOPE && (user->op_type != OP_NULL || user->op_targ == OP_LIST);
    }
}

/* Returns whether the kid is the last statement of a sub. */
static bool is_end_of_sub(const OP *kid, const OP *lines)
{
    const OP *sub = lines->op_type == OP_LINESEQ && !OpHAS_SIBLING(kid) ? op_parent((OP *)lines) : NULL;
    return sub != NULL && (sub->op_type == OP_LEAVESUB || sub->op_type == OP_LEAVESUBLV);
}

/* Returns whether nothing but the operand leads to the op that follows it. */
static bool is_exclusive(const operand *at, const OP *next)
{
    const bool is_leave = next->op_type == OP_LEAVESUB || next->op_type == OP_LEAVESUBLV;
    if (at->user->op_type == OP_LINESEQ)
        return is_leave && is_end_of_sub(at->kid, at->user);
    if (at->user->op_type == OP_RETURN) /* at the end of a sub perl leaves it out */
        return !is_leave || is_end_of_sub(at->user, op_parent(at->user));
    return is_only_way(at->user);
}

/* Returns whether one value is on the stack then, or it can be seen whether there is one. */
static bool is_one_value(const nytp_cover_point *p, const OP *right, const operand *at, const OP *next)
{
    if (p->want == NYTP_COVER_SCALAR || (PL_opargs[right->op_type] & OA_RETSCALAR) != 0)
        return true;
    if (p->want != NYTP_COVER_OF_SUB)
        return false;
    const OP *before = at->user->op_type == OP_RETURN ? first_kid(at->user) : NULL;
    return before != NULL ? before->op_type == OP_PUSHMARK && OpSIBLING(before) == at->kid
                          : next->op_type == OP_LEAVESUB;
}

/* Sets what shows the values of an operator's right operand: the op that has the whole value. Returns whether
 * anything does. */
static bool find_value_op(const prof_cover_sites *s, uint32_t whole, uint32_t site, const OP *right)
{
    const operand at = operand_of(s, whole, s->of[whole].op);
    OP *const next = next_to_run(s->of[whole].op->op_next);
    if (at.user == NULL || next == NULL || next != next_to_run(s->of[site].op->op_next) ||
        !is_exclusive(&at, next) || !is_one_value(&s->of[site].point, right, &at, next))
        return false;
    s->of[site].value_op = next;
    s->of[whole].whole_value_op = next;
    return true;
}

/* The value of the right operand of ||= is what its assignment assigns. */
static bool find_assignment(const prof_cover_sites *s, uint32_t by, uint32_t site)
{
    OP *const assignment = OpSIBLING(first_kid(s->of[by].op));
    if (assignment->op_type != OP_SASSIGN)
        return false;
    s->of[site].value_op = assignment;
    s->of[by].whole_value_op = assignment;
    return true;
}

/* Returns whether values of a right operand that is no operator are seen. What `if`, && and || do shows them,
 * but not if the value may be a defined one that // has let through. */
static bool find_values(const prof_cover_sites *s, uint32_t site, const OP *right)
{
    uint32_t whole = site;
    if (is_assignment(s->of[site].point.op))
        return find_assignment(s, site, site);
    bool is_dor = s->of[site].point.op == NYTP_COVER_DOR;
    while (s->of[whole].point.is_right) {
        whole = (uint32_t)s->of[whole].point.of;
        if (is_assignment(s->of[whole].point.op))
            return find_assignment(s, whole, site);
        is_dor |= s->of[whole].point.op == NYTP_COVER_DOR;
    }
    if (s->of[whole].point.of < 0)
        return find_value_op(s, whole, site, right);
    return !is_dor && nytp_cover_shows_operand(s->of[s->of[whole].point.of].point.op);
}

static bool has_values(const prof_cover_sites *s, uint32_t site)
{
    const nytp_cover_point *p = &s->of[site].point;
    if (p->op >= NYTP_COVER_CONDITION || (p->want == NYTP_COVER_VOID && !is_assignment(p->op)))
        return false;
    const OP *right = right_operand(s->of[site].op);
    if (right == NULL || is_without_values(right))
        return false;
    for (uint32_t i = site + 1; operator_of(right) != NYTP_COVER_STATEMENT && i < s->count; i++)
        if (s->of[i].op == right && right->op_type != OP_COND_EXPR)
            return s->of[i].point.has_values && s->of[i].point.op != NYTP_COVER_DOR &&
                   s->of[i].point.op != NYTP_COVER_DOR_ASSIGN;
    return find_values(s, site, right);
}

/* Returns whether the op to which the operator leads without its right operand is asked for the value of
 * another operator's right operand, which must not be taken for this one's. */
static bool tells(const prof_cover_sites *s, uint32_t site)
{
    const OP *next = next_to_run(s->of[site].op->op_next);
    for (int64_t i = site; next != NULL && i >= 0; i = s->of[i].point.of) {
        if (s->of[i].whole_value_op == next)
            return true;
        const int64_t user = s->of[i].point.is_right ? -1 : s->of[i].point.of;
        if (user >= 0 && s->of[user].op == next)
            return nytp_cover_shows_operand(s->of[user].point.op) &&
                   operator_of(s->of[site].op) != NYTP_COVER_DOR &&
                   operator_of(s->of[site].op) != NYTP_COVER_DOR_ASSIGN;
    }
    return false;
}

/* Operands come after their operators. */
void prof_operands_find(const prof_cover_sites *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->of[i].point.op != NYTP_COVER_STATEMENT && s->of[i].point.op < NYTP_COVER_CONDITION)
            relate(s, i);
    for (uint32_t i = s->count; i-- > 0;)
        if (s->of[i].point.op != NYTP_COVER_STATEMENT)
            s->of[i].point.has_values = has_values(s, i);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->of[i].point.op != NYTP_COVER_STATEMENT && s->of[i].point.op < NYTP_COVER_CONDITION)
            s->of[i].tells = tells(s, i);
}
