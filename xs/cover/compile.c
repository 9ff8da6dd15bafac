/* Sees all code as perl has compiled it, and records what in it can run.
 *
 * PL_peepp is called once for each tree of ops: the program, subs, BEGIN blocks, string evals, formats. (It
 * is called for code in the middle of a tree, too, such as that of a pattern, which then comes again with the
 * whole.) */
#include "cover/ops.h"

#include "basics/alloc.h"

#include <stdlib.h>

static peep_t next_peep;

/* ---- where statements begin, before perl optimizes ---- */

static void note_begin(pTHX_ prof_cover_begins *b, const OP *o, const char **file, prof_cover_text *text)
{
    const COP *cop = cCOPx(o);
    const char *now = is_begin(o) ? CopFILE(cop) : NULL;
    if (now != NULL && (*file == NULL || strcmp(*file, now) != 0)) {
        *file = now;
        *text = prof_text_compiled(aTHX_ * file);
    }
    b->of = prof_grow(b->of, &b->cap, b->count, sizeof *b->of);
    b->of[b->count++] = (prof_cover_begin){o, CopLINE(cop), *text};
}

static void note_begins(pTHX_ prof_cover_begins *b, OP *root, const char **file, prof_cover_text *text)
{
    for (OP *o = root; o != NULL; o = prof_next_op(o, root)) {
        OP *aside = tree_aside(o);
        if (aside != NULL)
            note_begins(aTHX_ b, aside, file, text);
        if (is_begin(o) || is_former_begin(o))
            note_begin(aTHX_ b, o, file, text);
    }
}

/* ---- units ---- */

static bool is_special(const char *name)
{
    static const char *const blocks[] = {"BEGIN", "END", "INIT", "CHECK", "UNITCHECK"};
    for (size_t i = 0; i < C_ARRAY_LENGTH(blocks); i++)
        if (strcmp(name, blocks[i]) == 0)
            return true;
    return false;
}

/* The name is perl's, and valid until the next statement. */
static prof_cover_name name_of_sub(pTHX)
{
    prof_cover_name name = {.kind = NYTP_COVER_SUB};
    SV *sv = PL_compcv != NULL && (CvNAMED(PL_compcv) || CvGV(PL_compcv) != NULL)
                 ? cv_name(PL_compcv, NULL, 0)
                 : NULL;
    if (sv == NULL)
        return name;
    name.sub.bytes = SvPV_const(sv, name.sub.length);
    name.sub.utf8 = SvUTF8(sv) != 0;
    const char *colon = strrchr(name.sub.bytes, ':');
    if (is_special(colon != NULL ? colon + 1 : name.sub.bytes))
        name.kind = NYTP_COVER_BLOCK;
    return name;
}

static prof_cover_name name_of(pTHX_ const OP *root, prof_cover_text text)
{
    switch (root->op_type) {
    case OP_LEAVESUB:
    case OP_LEAVESUBLV: return name_of_sub(aTHX);
    case OP_LEAVEWRITE: return (prof_cover_name){.kind = NYTP_COVER_FORMAT};
    default: return (prof_cover_name){.kind = prof_text_is_eval(text) ? NYTP_COVER_EVAL : NYTP_COVER_MAIN};
    }
}

/* Sites refer to others of the same unit. */
static void number_references(prof_cover_site *sites, uint32_t count, const uint32_t *numbers,
                              prof_cover_text text)
{
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].text == text && sites[i].point.of >= 0)
            sites[i].point.of = numbers[sites[i].point.of];
}

/* Parents come before their operands, and the op that follows an operator is one of the former or a value's.
 */
static void watch(const prof_cover_site *sites, uint32_t count, uint32_t first_point)
{
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].value_op != NULL)
            prof_watch(sites[i].value_op, first_point + i, PROF_VALUE);
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].op != NULL)
            prof_watch(sites[i].op, first_point + i,
                       sites[i].point.op == NYTP_COVER_STATEMENT ? PROF_STATEMENT
                       : sites[i].tells                          ? PROF_TELLER
                                                                 : PROF_OPERATOR);
}

/* Records the sites of the first one's text, unless it is 0, and has their ops watched. The rest comes to the
 * begin of the list. Returns how many these are. */
static uint32_t add_unit(prof_cover_site *sites, uint32_t count, const prof_cover_name *name)
{
    const prof_cover_text text = sites[0].text;
    uint32_t *const numbers = prof_alloc(count * sizeof *numbers), taken = 0, rest = 0;
    prof_cover_site *const own = prof_alloc(count * sizeof *own);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = sites[i].text == text ? taken++ : 0;
    number_references(sites, count, numbers, text);
    taken = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].text == text)
            own[taken++] = sites[i];
    if (text != 0)
        watch(own, taken, prof_unit_add(own, taken, name));
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].text != text)
            sites[rest++] = sites[i];
    free(numbers);
    free(own);
    return rest;
}

/* Leaves out what is not recorded, statements of which nothing shows whether they run, and what options of
 * perl's such as -M have put before the first line. */
static void drop_unseen(const prof_cover_sites *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        prof_cover_site *site = &s->of[i];
        int64_t of = i, steps = 0;
        while (s->of[of].op == NULL && s->of[of].point.of >= 0 && steps++ < s->count)
            of = s->of[of].point.of;
        if (s->of[of].op == NULL || s->of[of].text != site->text || site->point.line == 0)
            site->text = 0;
        else if (of != i)
            site->point.of = of;
    }
}

static void add_units(pTHX_ const prof_cover_sites *s, prof_cover_text first, const OP *root)
{
    const prof_cover_name name = name_of(aTHX_ root, first);
    drop_unseen(s);
    for (uint32_t count = s->count; count > 0;)
        count = add_unit(s->of, count, &name);
}

/* Returns the root if the tree is code by itself; NULL if it is a part of code that perl has not compiled
 * yet. */
static OP *root_of(pTHX_ OP *start)
{
    OP *o = start;
    for (OP *parent = o; parent != NULL; parent = op_parent(o))
        o = parent;
    switch (o != NULL ? o->op_type : OP_NULL) {
    case OP_LEAVESUB:
    case OP_LEAVESUBLV:
    case OP_LEAVEWRITE: return o;
    default: return o != NULL && (o == PL_main_root || o == PL_eval_root) ? o : NULL;
    }
}

static void peep(pTHX_ OP *start)
{
    prof_cover_guard guard = prof_cover_lock();
    const char *file = CopFILE(&PL_compiling);
    prof_cover_begins begins = {.text = prof_text_compiled(aTHX_ file)};
    OP *const root = begins.text != 0 ? root_of(aTHX_ start) : NULL;
    prof_cover_text text = begins.text;
    if (root != NULL)
        note_begins(aTHX_ & begins, root, &file, &text);
    prof_cover_unlock(&guard);
    next_peep(aTHX_ start);
    if (root == NULL)
        return;
    prof_cover_sites sites = {0};
    guard = prof_cover_lock();
    prof_sites_find(root, &begins, &sites);
    prof_operands_find(&sites);
    add_units(aTHX_ & sites, begins.text, root);
    if (root == PL_main_root || root == PL_eval_root)
        prof_text_end_round(begins.text);
    free(begins.of);
    free(sites.of);
    prof_cover_unlock(&guard);
}

void prof_cover_watch_compiler(pTHX)
{
    next_peep = PL_peepp;
    PL_peepp = peep;
}
