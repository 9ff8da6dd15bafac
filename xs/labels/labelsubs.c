#include "labelsubs.h"

#include "../entersub.h"
#include "../hot.h"
#include "../ops.h"
#include "sqltext.h"
#include "urltext.h"
#include "values.h"

/* The arguments of a call. */
typedef struct argument_list {
    SV *const *at; /* NULL: array has them */
    AV *array;
    SSize_t count; /* with at */
} argument_list;

static SV *argument_at(const argument_list *arguments, SSize_t index)
{
    if (arguments->at == NULL)
        return prof_element_of(arguments->array, index);
    return index < arguments->count ? arguments->at[index] : NULL;
}

/* ---- texts ---- */

/* What DBI's driver says of the server, by the class of a handle. */
static prof_sql_dialect dialect_of(const HV *handle)
{
    static const struct {
        const char *class;
        prof_sql_dialect dialect;
    } drivers[] = {{"DBD::SQLite::", PROF_SQL_SQLITE},
                   {"DBD::Pg::", PROF_SQL_STANDARD},
                   {"DBD::mysql::", PROF_SQL_MYSQL},
                   {"DBD::MariaDB::", PROF_SQL_MYSQL},
                   {"DBD::Oracle::", PROF_SQL_STANDARD}};
    const char *class = handle != NULL && SvOBJECT(handle) ? HvNAME(SvSTASH(handle)) : NULL;
    for (size_t i = 0; class != NULL && i < C_ARRAY_LENGTH(drivers); i++)
        if (strncmp(class, drivers[i].class, strlen(drivers[i].class)) == 0)
            return drivers[i].dialect;
    return PROF_SQL_UNKNOWN;
}

static SV *statement_of(pTHX_ HV *handle)
{
    static const char key[] = "Statement";
    static U32 hash; /* the same for all interpreters; computed twice at worst */
    if (hash == 0)
        PERL_HASH(hash, key, sizeof key - 1);
    return handle != NULL ? prof_hash_get(aTHX_ handle, key, sizeof key - 1, hash) : NULL;
}

static SV *follow(pTHX_ const prof_rule_part *part, SV *sv)
{
    for (unsigned i = 0; i < part->step_count && sv != NULL; i++) {
        const prof_rule_step *step = &part->steps[i];
        sv = step->key != NULL ? prof_hash_value(aTHX_ sv, step->key, step->length, step->hash)
                               : prof_element(aTHX_ sv, step->index);
    }
    return part->follows ? prof_referent(sv) : sv;
}

static bool read_part(pTHX_ const prof_rule_part *part, const argument_list *arguments, prof_value *value)
{
    SV *sv = follow(aTHX_ part, argument_at(arguments, part->argument));
    if (part->form == PROF_PART_STATEMENT && sv != NULL && (SvROK(sv) || part->argument == 0))
        sv = statement_of(aTHX_ prof_dbi_handle(aTHX_ sv));
    return prof_value_of(aTHX_ sv, value);
}

/* The text of one part needs no copy. */
static bool text_of_part(pTHX_ const prof_rule_part *part, const argument_list *arguments, prof_value *value,
                         prof_label_text *text)
{
    if (!read_part(aTHX_ part, arguments, value))
        return false;
    const bool is_sql = part->form == PROF_PART_SQL || part->form == PROF_PART_STATEMENT;
    *text = (prof_label_text){value->bytes, value->length, value->utf8, .form = PROF_LABEL_PLAIN};
    if (is_sql) {
        text->form = PROF_LABEL_SQL;
        text->variant = part->form == PROF_PART_STATEMENT
                            ? dialect_of(prof_dbi_handle(aTHX_ argument_at(arguments, 0)))
                            : PROF_SQL_UNKNOWN;
    } else if (part->form == PROF_PART_URL) {
        text->form = PROF_LABEL_URL;
    }
    return true;
}

/* Appends the text of a part, as UTF-8, to joined, which has PROF_LABEL_RAW_MAX bytes. */
static size_t append_part(pTHX_ const prof_rule_part *part, const prof_value *value, char *joined,
                          size_t length)
{
    char normal[PROF_SQL_MAX], clean[PROF_LABEL_CLEAN_MAX];
    const char *bytes = value->bytes;
    size_t size = value->length;
    if (part->form == PROF_PART_URL) {
        size = prof_url_normalise(bytes, size, normal);
        bytes = normal;
    } else if (part->form != PROF_PART_PLAIN) {
        size = prof_sql_normalise(bytes, size, PROF_SQL_UNKNOWN, normal);
        bytes = normal;
    }
    PERL_UNUSED_CONTEXT;
    size = prof_label_clean(bytes, size, value->utf8, clean);
    if (length > 0 && length < PROF_LABEL_RAW_MAX)
        joined[length++] = ' ';
    size = size < PROF_LABEL_RAW_MAX - length ? size : PROF_LABEL_RAW_MAX - length;
    memcpy(joined + length, clean, size);
    return length + size;
}

/* Joins the parts that can be read. Returns their length. */
static __attribute__((noinline)) size_t join_parts(pTHX_ const prof_rule *rule,
                                                   const argument_list *arguments, char *joined)
{
    size_t length = 0;
    for (unsigned i = 0; i < rule->part_count; i++) {
        prof_value value;
        if (read_part(aTHX_ & rule->parts[i], arguments, &value))
            length = append_part(aTHX_ & rule->parts[i], &value, joined, length);
    }
    return length;
}

static __attribute__((noinline)) uint32_t joined_label(pTHX_ prof *p, uint32_t base, const prof_rule *rule,
                                                       const argument_list *arguments)
{
    char joined[PROF_LABEL_RAW_MAX];
    const prof_label_text text = {joined, join_parts(aTHX_ rule, arguments, joined), true,
                                  .form = PROF_LABEL_PLAIN};
    return text.length > 0 ? prof_label_of_sub(aTHX_ p, base, &text) : PROF_SUB_NONE;
}

/* Returns the number of the labelled sub; PROF_SUB_NONE: there is no label. */
static uint32_t label_of(pTHX_ prof *p, uint32_t base, const prof_rule *rule, const argument_list *arguments)
{
    prof_value value;
    prof_label_text text;
    if (rule->part_count > 1)
        return joined_label(aTHX_ p, base, rule, arguments);
    return text_of_part(aTHX_ & rule->parts[0], arguments, &value, &text)
               ? prof_label_of_sub(aTHX_ p, base, &text)
               : PROF_SUB_NONE;
}

/* ---- calls ---- */

static Perl_ppaddr_t unlabelled;

/* Returns the rule of a sub, looked up once by its name, and sets *base; NULL if there is none. */
static const prof_rule *rule_of(pTHX_ prof *p, CV *cv, uint32_t *base)
{
    enum { NOT_LOOKED_UP, NO_RULE, FIRST_RULE };
    HEK *package = NULL;
    const HEK *name = prof_name_of_cv(aTHX_ cv, &package);
    if (name == NULL || !prof_rules_may_have(&p->labels.rules, name) || !prof_name_is_one_sub(name))
        return NULL;
    *base = prof_sub_of_cv(aTHX_ p, cv);
    prof_sub *sub = &p->subs.at[*base];
    if (UNLIKELY(sub->rule == NOT_LOOKED_UP)) {
        const nytp_str full = prof_sub_name(&p->subs, *base);
        const int number = sub->exits ? -1 : prof_rule_find(&p->labels.rules, full.bytes, full.length);
        sub->rule = number >= 0 ? (uint8_t)(number + FIRST_RULE) : NO_RULE;
    }
    return sub->rule >= FIRST_RULE ? &p->labels.rules.at[sub->rule - FIRST_RULE] : NULL;
}

/* `&f;` passes on @_. */
static argument_list arguments_of_xsub(pTHX)
{
    if (!(PL_op->op_flags & OPf_STACKED))
        return (argument_list){NULL, GvAV(PL_defgv), 0};
    SV **first = PL_stack_base + TOPMARK + 1;
    return (argument_list){first, NULL, PL_stack_sp - first};
}

static OP *call_xsub(pTHX_ prof *p, const prof_rule *rule, uint32_t base)
{
    const uint64_t began = prof_counter();
    const argument_list arguments = arguments_of_xsub(aTHX);
    const uint32_t sub = label_of(aTHX_ p, base, rule, &arguments);
    if (sub == PROF_SUB_NONE)
        return unlabelled(aTHX);
    return prof_run_labelled(aTHX_ p, sub, prof_original[OP_ENTERSUB], began);
}

/* Calls of the same sub with the same label. CvDEPTH counts those with others, too. */
static void count_recursion(const prof *p)
{
    prof_frame *top = prof_top_frame(p);
    top->recursion = 0;
    for (const prof_frame *f = p->frames.at; f < top; f++)
        top->recursion += f->sub == top->sub;
}

/* The call is recorded, and gets its label when its arguments are in @_. */
static OP *call_perl_sub(pTHX_ prof *p, const prof_rule *rule, uint32_t base)
{
    const uintptr_t serial = p->frames.serial;
    OP *next = unlabelled(aTHX);
    if (p->frames.count == 0 || prof_top_frame(p)->sub != base || prof_top_frame(p)->serial <= serial ||
        prof_top_frame(p)->cxix != cxstack_ix || !CxHASARGS(CX_CUR()))
        return next;
    const uint64_t began = prof_now(&p->probe.clock);
    const argument_list arguments = {NULL, (AV *)PAD_SVl(0), 0};
    const uint32_t sub = label_of(aTHX_ p, base, rule, &arguments);
    if (sub != PROF_SUB_NONE) {
        prof_call_rename(aTHX_ p, prof_top_frame(p), sub);
        if (CvDEPTH(CX_CUR()->blk_sub.cv) > 1)
            count_recursion(p);
    }
    prof_probe_end(p, PROF_PROBE_LABEL, began);
    return next;
}

/* Returns the sub that is called; NULL if it is not defined, or if only running code could say. */
static CV *called_cv(pTHX)
{
    SV *sv = *PL_stack_sp;
    PERL_UNUSED_CONTEXT;
    if (SvTYPE(sv) == SVt_PVGV)
        return GvCVu((GV *)sv);
    if (SvTYPE(sv) == SVt_PVCV)
        return (CV *)sv;
    const bool is_code = SvROK(sv) && !SvGMAGICAL(sv) && SvTYPE(SvRV(sv)) == SVt_PVCV && !SvOBJECT(SvRV(sv));
    return is_code ? (CV *)SvRV(sv) : NULL;
}

static OP *handle_ENTERSUB(pTHX)
{
    prof *p = prof_of(aTHX);
    CV *cv = p != NULL && p->enabled.subs ? called_cv(aTHX) : NULL;
    uint32_t base;
    const prof_rule *rule =
        cv != NULL && (CvISXSUB(cv) || CvROOT(cv) != NULL) ? rule_of(aTHX_ p, cv, &base) : NULL;
    if (LIKELY(rule == NULL))
        return unlabelled(aTHX);
    return CvISXSUB(cv) ? call_xsub(aTHX_ p, rule, base) : call_perl_sub(aTHX_ p, rule, base);
}

void prof_replace_ruled(const prof_rules *rules)
{
    if (rules->count > 0 && unlabelled == NULL) {
        unlabelled = PL_ppaddr[OP_ENTERSUB];
        PL_ppaddr[OP_ENTERSUB] = handle_ENTERSUB;
    }
}
