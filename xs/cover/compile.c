/* Sees all code as perl has compiled it, and finds what in it can run.
 *
 * PL_peepp is called once for each tree of ops: the program, subs, BEGIN blocks, string evals, formats. (It
 * is called for code in the middle of a tree, too, such as that of a pattern, which then comes again with the
 * whole.) Perl leaves out ops whose work it can do without, also those that begin statements. A statement
 * whose op is gone is seen by the first of its ops that runs. */
#include "cover/collect.h"

#include "basics/alloc.h"

#include <stdlib.h>

/* A block that the walk is in. */
typedef struct cover_block {
    const OP *of;
    uint32_t line;        /* of the statement that the walk is in */
    prof_cover_text text; /* 0: it is not recorded */
    uint32_t statement;   /* its site + 1; 0: none */
    uint32_t waiting;     /* site + 1 of a statement without ops, which runs with the next one; 0: none */
    PADOFFSET pads,
        pads_end;     /* the variables that a statement of this block makes for some of those after it */
    uint32_t pads_by; /* its site */
} cover_block;

/* The begin of a statement, as perl has parsed it: the optimizer moves lines from one to another. */
typedef struct begin {
    const OP *op;
    uint32_t line;
    prof_cover_text text;
} begin;

typedef struct awaited {
    const OP *op;
    uint32_t site;
} awaited;

typedef struct walk {
    prof_cover_text text; /* of the unit's first statements */
    cover_block *blocks;
    uint32_t block_count, block_cap;
    begin *begins;
    uint32_t begin_count, begin_cap, begin_at;
    uint32_t last; /* the site + 1 of the last statement; 0: none */
    prof_cover_site *sites;
    uint32_t site_count, site_cap;
    awaited *awaited; /* ops that show statements and that the walk has not reached */
    uint32_t awaited_count, awaited_cap;
} walk;

static peep_t next_peep;

static bool is_begin(const OP *o)
{
    return o->op_type == OP_NEXTSTATE || o->op_type == OP_DBSTATE;
}

/* One that perl has made nothing of, though its line is still there. */
static bool is_former_begin(const OP *o)
{
    return o->op_type == OP_NULL && (o->op_targ == OP_NEXTSTATE || o->op_targ == OP_DBSTATE);
}

static const OP *first_kid(const OP *o)
{
    return (o->op_flags & OPf_KIDS) != 0 ? cUNOPx(o)->op_first : NULL;
}

/* The tree that an op has beside its kids: the replacement of s///e, the code in a pattern; NULL if none. */
static OP *tree_aside(const OP *o)
{
    if (o->op_type == OP_SUBST)
        return cPMOPx(o)->op_pmreplrootu.op_pmreplroot;
    if ((o->op_type == OP_MATCH || o->op_type == OP_QR) &&
        (cPMOPx(o)->op_pmflags & PMf_CODELIST_PRIVATE) == 0)
        return cPMOPx(o)->op_code_list;
    return NULL;
}

/* ---- which op shows that a statement runs ---- */

/* Declarations of which nothing remains when they stand alone. */
static bool is_idle_declaration(const OP *o)
{
    if ((o->op_flags & OPf_WANT) != OPf_WANT_VOID)
        return false;
    switch (o->op_type) {
    case OP_RV2SV:
    case OP_RV2AV:
    case OP_RV2HV:
    case OP_GVSV: return (o->op_private & OPpOUR_INTRO) != 0;
    case OP_PADSV:
    case OP_PADAV:
    case OP_PADHV: return (o->op_private & OPpPAD_STATE) != 0;
    default: return false;
    }
}

/* Ops that perl jumps over. */
static bool is_idle(const OP *o)
{
    return o->op_type == OP_NULL || o->op_type == OP_SCOPE || o->op_type == OP_LINESEQ ||
           o->op_type == OP_SCALAR || (o->op_type == OP_STUB && (o->op_flags & OPf_WANT) == OPf_WANT_LIST);
}

/* Returns the first op of the tree that runs; NULL if none does. The way down to the first leaf is a loop,
 * for a long chain of operators is as deep as it is long. */
static OP *first_to_run(OP *root)
{
    OP *o = root;
    for (bool is_back = false;;) {
        OP *kid = (OP *)first_kid(o);
        if (!is_back && kid != NULL && !is_idle_declaration(o)) {
            o = kid;
            continue;
        }
        if (!is_idle(o) && !is_idle_declaration(o))
            return o;
        if (o == root)
            return NULL;
        is_back = !OpHAS_SIBLING(o);
        o = o->op_sibparent;
    }
}

/* ---- the walk ---- */

/* Goes to the next op in the order of the source: parents before kids. */
static OP *next_op(walk *w, OP *o, const OP *root)
{
    if (first_kid(o) != NULL)
        return (OP *)first_kid(o);
    while (o != root && !OpHAS_SIBLING(o)) {
        o = o->op_sibparent;
        if (w->block_count > 0 && w->blocks[w->block_count - 1].of == o)
            w->block_count--;
    }
    return o != root ? o->op_sibparent : NULL;
}

/* ---- first: where statements begin, before perl optimizes ---- */

static void note_begin(pTHX_ walk *w, const OP *o, const char **file, prof_cover_text *text)
{
    const COP *cop = cCOPx(o);
    if (is_begin(o) && CopFILE(cop) != NULL && (*file == NULL || strcmp(*file, CopFILE(cop)) != 0)) {
        *file = CopFILE(cop);
        *text = prof_text_compiled(aTHX_ * file);
    }
    w->begins = prof_grow(w->begins, &w->begin_cap, w->begin_count, sizeof *w->begins);
    w->begins[w->begin_count++] = (begin){o, CopLINE(cop), *text};
}

static void note_begins(pTHX_ walk *w, OP *root, const char **file, prof_cover_text *text)
{
    for (OP *o = root; o != NULL; o = next_op(w, o, root)) {
        OP *aside = tree_aside(o);
        if (aside != NULL)
            note_begins(aTHX_ w, aside, file, text);
        if (is_begin(o) || is_former_begin(o))
            note_begin(aTHX_ w, o, file, text);
    }
}

/* ---- then: what can run, after it ---- */

static uint32_t add_site(walk *w, OP *op, enum nytp_cover_op kind)
{
    const cover_block *b = &w->blocks[w->block_count - 1];
    w->sites = prof_grow(w->sites, &w->site_cap, w->site_count, sizeof *w->sites);
    w->sites[w->site_count] =
        (prof_cover_site){.op = op, .text = b->text, .point = {.op = kind, .line = b->line, .alias = -1}};
    return w->site_count++;
}

static void make_alias(walk *w, uint32_t site, uint32_t of)
{
    w->sites[site].op = NULL;
    w->sites[site].point.alias = of;
}

static void await(walk *w, const OP *op, uint32_t site)
{
    w->awaited = prof_grow(w->awaited, &w->awaited_cap, w->awaited_count, sizeof *w->awaited);
    w->awaited[w->awaited_count++] = (awaited){op, site};
}

/* Returns the site that waits for the op; -1 if none does. */
static int64_t awaited_at(const walk *w, const OP *op)
{
    for (uint32_t i = w->awaited_count; i-- > 0;)
        if (w->awaited[i].op == op)
            return i;
    return -1;
}

/* Returns whether the statement only declares variables that one before it has made with its own. */
static bool is_made_before(const cover_block *b, const OP *statement)
{
    const OP *o = statement;
    while (o != NULL && (o->op_type == OP_NULL || o->op_type == OP_LIST || o->op_type == OP_PUSHMARK ||
                         o->op_type == OP_PADRANGE))
        o = first_kid(o) != NULL ? first_kid(o) : OpSIBLING(o);
    if (o == NULL || b->pads == b->pads_end || (o->op_private & OPpLVAL_INTRO) == 0)
        return false;
    return (o->op_type == OP_PADSV || o->op_type == OP_PADAV || o->op_type == OP_PADHV) &&
           o->op_targ >= b->pads && o->op_targ < b->pads_end;
}

/* A PADRANGE makes the variables of its own statement, and of those right after it that only declare some. */
static void note_pads(walk *w, const OP *o)
{
    cover_block *b = &w->blocks[w->block_count - 1];
    if (b->statement == 0 || (o->op_private & OPpLVAL_INTRO) == 0)
        return;
    const PADOFFSET end = o->op_targ + (PADOFFSET)(o->op_private & OPpPADRANGE_COUNTMASK);
    if (b->pads < b->pads_end && o->op_targ >= b->pads && o->op_targ < b->pads_end)
        return;
    b->pads = o->op_targ;
    b->pads_end = end;
    b->pads_by = b->statement - 1;
}

/* Returns the begin as it was parsed; they are in the order of the walk. NULL if it was not there then. */
static const begin *begin_at(const walk *w, const OP *o)
{
    for (uint32_t i = w->begin_at; i < w->begin_count; i++)
        if (w->begins[i].op == o)
            return &w->begins[i];
    return NULL;
}

/* Adds the statements up to a begin that perl has made one with the last: `my $x; my $y;`. */
static void add_joined(walk *w, uint32_t end)
{
    for (; w->begin_at < end; w->begin_at++) {
        if (w->last == 0)
            continue;
        const uint32_t site = add_site(w, NULL, NYTP_COVER_STATEMENT);
        w->sites[site].text = w->begins[w->begin_at].text;
        w->sites[site].point.line = w->begins[w->begin_at].line;
        make_alias(w, site, w->last - 1);
    }
}

static void set_line(walk *w, const OP *o)
{
    cover_block *b = &w->blocks[w->block_count - 1];
    const begin *parsed = begin_at(w, o);
    if (parsed == NULL) {
        b->line = CopLINE(cCOPx(o));
        return;
    }
    add_joined(w, (uint32_t)(parsed - w->begins));
    w->begin_at++;
    b->line = parsed->line;
    b->text = parsed->text;
}

/* The statement at a begin that perl has left out. */
static uint32_t add_former(walk *w, OP *statement)
{
    cover_block *b = &w->blocks[w->block_count - 1];
    OP *const op = first_to_run(statement);
    const uint32_t site = add_site(w, op, NYTP_COVER_STATEMENT);
    const int64_t same = op != NULL ? awaited_at(w, op) : -1;
    if (same >= 0)
        make_alias(w, site, w->awaited[same].site);
    else if (op != NULL)
        await(w, op, site);
    else if (b->statement != 0)
        make_alias(w, site, b->statement - 1);
    return site;
}

static void visit_begin(walk *w, OP *o)
{
    OP *const statement = OpSIBLING(o);
    set_line(w, o);
    cover_block *const b = &w->blocks[w->block_count - 1];
    const bool is_former = is_former_begin(o);
    if (statement != NULL ? is_begin(statement) || is_former_begin(statement) : is_former)
        return; /* an empty statement */
    uint32_t site;
    if (is_former) {
        site = add_former(w, statement);
    } else {
        site = add_site(w, o, NYTP_COVER_STATEMENT);
        if (statement != NULL && is_made_before(b, statement))
            make_alias(w, site, b->pads_by);
    }
    if (b->waiting != 0)
        make_alias(w, b->waiting - 1, site);
    const bool waits = w->sites[site].op == NULL && w->sites[site].point.alias < 0;
    b->waiting = waits ? site + 1 : 0;
    b->statement = w->last = site + 1;
}

/* The operators whose right operand may not run. */
static enum nytp_cover_op operator_of(const OP *o)
{
    switch (o->op_type) {
    case OP_AND: return first_kid(o)->op_type != OP_ITER ? NYTP_COVER_AND : NYTP_COVER_STATEMENT;
    case OP_OR: return NYTP_COVER_OR;
    case OP_DOR: return NYTP_COVER_DOR;
    case OP_ANDASSIGN: return NYTP_COVER_AND_ASSIGN;
    case OP_ORASSIGN: return NYTP_COVER_OR_ASSIGN;
    case OP_DORASSIGN: return NYTP_COVER_DOR_ASSIGN;
    case OP_COND_EXPR: return NYTP_COVER_CONDITION;
#if PERL_VERSION >= 26
    case OP_ARGDEFELEM: return NYTP_COVER_DEFAULT;
#endif
    default: return NYTP_COVER_STATEMENT;
    }
}

static enum nytp_cover_want want_of(const OP *o)
{
    switch (o->op_flags & OPf_WANT) {
    case OPf_WANT_VOID: return NYTP_COVER_VOID;
    case OPf_WANT_SCALAR: return NYTP_COVER_SCALAR;
    case OPf_WANT_LIST: return NYTP_COVER_LIST;
    default: return NYTP_COVER_OF_SUB;
    }
}

/* The condition of an elsif begins like a statement, on a line of its own. */
static uint32_t line_of_operator(const walk *w, const OP *o)
{
    const OP *left = first_kid(o);
    while (left != NULL && is_idle(left) && !is_former_begin(left))
        left = first_kid(left);
    const begin *own = left != NULL && (is_begin(left) || is_former_begin(left)) ? begin_at(w, left) : NULL;
    return own != NULL ? own->line : w->blocks[w->block_count - 1].line;
}

/* If both ways lead to the same op, nothing shows which one it was. */
static void visit_operator(walk *w, OP *o, enum nytp_cover_op kind, int64_t statement)
{
    if (cLOGOPx(o)->op_other == o->op_next || w->blocks[w->block_count - 1].text == 0)
        return;
    const uint32_t site = add_site(w, o, kind);
    w->sites[site].point.want = want_of(o);
    w->sites[site].point.line = line_of_operator(w, o);
    if (statement >= 0)
        make_alias(w, (uint32_t)statement, site);
}

static void visit(walk *w, OP *o)
{
    const enum nytp_cover_op kind = operator_of(o);
    const int64_t found = awaited_at(w, o);
    const int64_t statement = found >= 0 ? (int64_t)w->awaited[found].site : -1;
    if (found >= 0)
        w->awaited[found] = w->awaited[--w->awaited_count];
    if (is_begin(o) || is_former_begin(o))
        visit_begin(w, o);
    else if (kind != NYTP_COVER_STATEMENT)
        visit_operator(w, o, kind, statement);
    else if (o->op_type == OP_PADRANGE)
        note_pads(w, o);
}

/* A block begins: statements in it follow one another, and the one around it goes on after it. */
static void enter_block(walk *w, const OP *of)
{
    const cover_block *around = w->block_count > 0 ? &w->blocks[w->block_count - 1] : NULL;
    const cover_block b = {
        .of = of, .line = around != NULL ? around->line : 0, .text = around != NULL ? around->text : w->text};
    w->blocks = prof_grow(w->blocks, &w->block_cap, w->block_count, sizeof *w->blocks);
    w->blocks[w->block_count++] = b;
}

static bool has_statements(const OP *o)
{
    for (const OP *kid = first_kid(o); kid != NULL; kid = OpSIBLING(kid))
        if (is_begin(kid) || is_former_begin(kid))
            return true;
        else if (kid->op_type != OP_ENTER && kid->op_type != OP_ENTERTRY && kid->op_type != OP_ENTERLOOP)
            return false;
    return false;
}

static void find_sites(walk *w, OP *root)
{
    if (w->block_count == 0)
        enter_block(w, NULL);
    for (OP *o = root; o != NULL; o = next_op(w, o, root)) {
        OP *aside = tree_aside(o);
        if (aside != NULL) {
            enter_block(w, NULL);
            const uint32_t depth = w->block_count;
            find_sites(w, aside);
            w->block_count = depth - 1;
        }
        visit(w, o);
        if (has_statements(o))
            enter_block(w, o);
    }
}

/* ---- units ---- */

static prof_cover_name name_of_eval(pTHX_ prof_cover_text text)
{
    return (prof_cover_name){.kind = prof_text_is_eval(text) ? NYTP_COVER_EVAL : NYTP_COVER_MAIN};
}

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
    default: return name_of_eval(aTHX_ text);
    }
}

/* Aliases refer to sites of the same unit. */
static void number_aliases(prof_cover_site *sites, uint32_t count, const uint32_t *numbers,
                           prof_cover_text text)
{
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].text == text && sites[i].point.alias >= 0)
            sites[i].point.alias = numbers[sites[i].point.alias];
}

/* Records the sites of one text, and has their ops watched. The rest comes to the begin of the list. Returns
 * how many these are. */
static uint32_t add_unit(prof_cover_site *sites, uint32_t count, const prof_cover_name *name)
{
    const prof_cover_text text = sites[0].text;
    uint32_t *const numbers = prof_alloc(count * sizeof *numbers), taken = 0, rest = 0;
    prof_cover_site *const own = prof_alloc(count * sizeof *own);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = sites[i].text == text ? taken++ : 0;
    number_aliases(sites, count, numbers, text);
    taken = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].text == text)
            own[taken++] = sites[i];
    const uint32_t first = prof_unit_add(own, taken, name);
    for (uint32_t i = 0; i < taken; i++)
        if (own[i].op != NULL)
            prof_watch(own[i].op, first + i, own[i].point.op == NYTP_COVER_STATEMENT);
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].text != text)
            sites[rest++] = sites[i];
    free(numbers);
    free(own);
    return rest;
}

/* Leaves out what is not recorded, statements of which nothing shows whether they run, and what options of
 * perl's such as -M have put before the first line. */
static void drop_unseen(walk *w)
{
    for (uint32_t i = 0; i < w->site_count; i++) {
        prof_cover_site *site = &w->sites[i];
        int64_t of = i, steps = 0;
        while (w->sites[of].point.alias >= 0 && steps++ < w->site_count)
            of = w->sites[of].point.alias;
        if (w->sites[of].op == NULL || w->sites[of].text != site->text || site->point.line == 0)
            site->text = 0;
        else if (of != i)
            site->point.alias = of;
    }
}

static void add_units(pTHX_ walk *w, const OP *root)
{
    const prof_cover_name name = name_of(aTHX_ root, w->text);
    drop_unseen(w);
    uint32_t count = w->site_count;
    while (count > 0) {
        if (w->sites[0].text != 0) {
            count = add_unit(w->sites, count, &name);
            continue;
        }
        uint32_t rest = 0;
        for (uint32_t i = 0; i < count; i++)
            if (w->sites[i].text != 0)
                w->sites[rest++] = w->sites[i];
        count = rest;
    }
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

static void free_walk(walk *w)
{
    free(w->blocks);
    free(w->begins);
    free(w->sites);
    free(w->awaited);
}

static void peep(pTHX_ OP *start)
{
    walk w = {0};
    prof_cover_guard guard = prof_cover_lock();
    const char *file = CopFILE(&PL_compiling);
    w.text = prof_text_compiled(aTHX_ file);
    OP *const root = w.text != 0 ? root_of(aTHX_ start) : NULL;
    prof_cover_text text = w.text;
    if (root != NULL)
        note_begins(aTHX_ & w, root, &file, &text);
    prof_cover_unlock(&guard);
    next_peep(aTHX_ start);
    if (root == NULL)
        return;
    guard = prof_cover_lock();
    find_sites(&w, root);
    add_joined(&w, w.begin_count);
    add_units(aTHX_ & w, root);
    if (root == PL_main_root || root == PL_eval_root)
        prof_text_end_round(w.text);
    free_walk(&w);
    prof_cover_unlock(&guard);
}

void prof_cover_watch_compiler(pTHX)
{
    next_peep = PL_peepp;
    PL_peepp = peep;
}
