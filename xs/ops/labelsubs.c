#include "ops/labelsubs.h"

#include "ops/entersub.h"
#include "basics/ops.h"
#include "names/labelcache.h"
#include "labels/values.h"

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

static SV *follow(const prof_rule_part *part, SV *sv)
{
    for (unsigned i = 0; i < part->step_count && sv != NULL; i++) {
        const prof_rule_step *step = &part->steps[i];
        sv = step->key.bytes != NULL ? prof_hash_value(sv, &step->key) : prof_element(sv, step->index);
    }
    return part->follows ? prof_referent(sv) : sv;
}

/* The statement of a handle of DBI, or an argument that is one. */
__attribute__((always_inline)) static inline bool text_of_statement(pTHX_ prof_handles *handles,
                                                                    SSize_t argument,
                                                                    const argument_list *arguments,
                                                                    prof_value *value, prof_label_text *text)
{
    const prof_handle invocant = prof_handle_of(argument_at(arguments, 0));
    SV *sv = argument_at(arguments, argument);
    const prof_handle handle = argument == 0 ? invocant : prof_handle_of(sv);
    if (argument == 0 || handle.hash != NULL)
        sv = prof_handle_statement(handles, &handle);
    if (!prof_value_of(sv, value))
        return false;
    *text = (prof_label_text){
        .bytes = value->bytes,
        .length = value->length,
        .utf8 = value->utf8,
        .stays = argument == 0,
        .form = PROF_LABEL_SQL,
        .variant = prof_handle_dialect(aTHX_ handles, &invocant),
    };
    return true;
}

/* Sets *text to the text of a part of any form. Returns false if it has none. */
static bool text_of_part(pTHX_ prof_rules *rules, const prof_rule_part *part, const argument_list *arguments,
                         prof_value *value, prof_label_text *text)
{
    static const prof_label_form forms[] = {
        [PROF_PART_PLAIN] = PROF_LABEL_PLAIN, [PROF_PART_URL] = PROF_LABEL_URL,
        [PROF_PART_PORT] = PROF_LABEL_PLAIN,  [PROF_PART_PATH] = PROF_LABEL_URL,
        [PROF_PART_DSN] = PROF_LABEL_DSN,     [PROF_PART_SQL] = PROF_LABEL_SQL};
    if (part->form == PROF_PART_STATEMENT)
        return text_of_statement(aTHX_ & rules->handles, part->argument, arguments, value, text);
    if (!prof_value_of(follow(part, argument_at(arguments, part->argument)), value))
        return false;
    *text = (prof_label_text){value->bytes, value->length, value->utf8, .form = forms[part->form]};
    return true;
}

/* Appends a text, as a label, to joined, which has PROF_LABEL_RAW_MAX bytes. between: '\0' for nothing.
 * Returns the length. */
static size_t append_text(const prof_label_text *text, char between, char *joined, size_t length)
{
    char clean[PROF_LABEL_CLEAN_MAX];
    size_t size = prof_label_text_clean(text, clean);
    if (length > 0 && length < PROF_LABEL_RAW_MAX && between != '\0')
        joined[length++] = between;
    size = size < PROF_LABEL_RAW_MAX - length ? size : PROF_LABEL_RAW_MAX - length;
    memcpy(joined + length, clean, size);
    return length + size;
}

static bool is_number(const prof_label_text *text)
{
    for (size_t i = 0; i < text->length; i++)
        if (!isDIGIT(text->bytes[i]))
            return false;
    return text->length > 0;
}

/* Joins the parts that can be read. A port or path without a host before it is as of no URL. */
static __attribute__((noinline)) uint32_t joined_label(pTHX_ prof *p, uint32_t base, const prof_rule *rule,
                                                       const argument_list *arguments)
{
    char joined[PROF_LABEL_RAW_MAX];
    prof_label_text text;
    prof_value value;
    size_t length = 0;
    bool after_host = false;
    for (unsigned i = 0; i < rule->part_count; i++) {
        const prof_part_form form = rule->parts[i].form;
        const bool is_known =
            text_of_part(aTHX_ & p->labels.rules, &rule->parts[i], arguments, &value, &text);
        if (form == PROF_PART_PORT) {
            if (is_known && after_host && is_number(&text))
                length = append_text(&text, ':', joined, length);
            continue;
        }
        if (is_known)
            length = append_text(&text, after_host && form == PROF_PART_PATH ? '\0' : ' ', joined, length);
        after_host = is_known;
    }
    text = (prof_label_text){joined, length, true, .form = PROF_LABEL_PLAIN};
    return length > 0 ? prof_label_of_sub(aTHX_ p, base, &text) : PROF_SUB_NONE;
}

static __attribute__((noinline)) uint32_t
label_of_part(pTHX_ prof *p, uint32_t base, const prof_rule_part *part, const argument_list *arguments)
{
    prof_value value;
    prof_label_text text;
    return text_of_part(aTHX_ & p->labels.rules, part, arguments, &value, &text)
               ? prof_label_of_sub(aTHX_ p, base, &text)
               : PROF_SUB_NONE;
}

/* What fetch() and execute() have. Inline, which saves 4 % of a label for a fetch. */
__attribute__((always_inline)) static inline uint32_t label_of_handle(pTHX_ prof *p, uint32_t base,
                                                                      const argument_list *arguments)
{
    prof_value value;
    prof_label_text text;
    return text_of_statement(aTHX_ & p->labels.rules.handles, 0, arguments, &value, &text)
               ? prof_label_of_sub(aTHX_ p, base, &text)
               : PROF_SUB_NONE;
}

/* Returns the number of the labelled sub; PROF_SUB_NONE if the call has no label. */
__attribute__((always_inline)) static inline uint32_t label_of(pTHX_ prof *p, const prof_ruled *ruled,
                                                               const argument_list *arguments)
{
    const prof_rule *rule = ruled->rule;
    const prof_rule_part *part = &rule->parts[0];
    if (UNLIKELY(rule->part_count > 1))
        return joined_label(aTHX_ p, ruled->sub, rule, arguments);
    if (LIKELY(part->form == PROF_PART_STATEMENT && part->argument == 0))
        return label_of_handle(aTHX_ p, ruled->sub, arguments);
    return label_of_part(aTHX_ p, ruled->sub, part, arguments);
}

static Perl_ppaddr_t unlabelled;

/* Looks the rule of a sub up, once by its name, and keeps it in slot. */
static __attribute__((noinline)) void keep_rule(pTHX_ prof *p, CV *cv, const HEK *package, const HEK *name,
                                                prof_ruled *slot)
{
    enum { NOT_LOOKED_UP, NO_RULE, FIRST_RULE };
    if (!prof_name_is_one_sub(name))
        return;
    const uint32_t base = prof_sub_of_cv(aTHX_ p, cv);
    prof_sub *sub = &p->subs.at[base];
    if (sub->rule == NOT_LOOKED_UP) {
        const nytp_str full = prof_sub_name(&p->subs, base);
        const int number =
            sub->exits == PROF_EXITS ? -1 : prof_rule_find(&p->labels.rules, full.bytes, full.length);
        sub->rule = number >= 0 ? (uint8_t)(number + FIRST_RULE) : NO_RULE;
    }
    const prof_rule *rule = sub->rule >= FIRST_RULE ? &p->labels.rules.at[sub->rule - FIRST_RULE] : NULL;
    *slot = (prof_ruled){package, name, rule, base};
}

/* Returns the rule of a sub, and its number; NULL if it has none. */
__attribute__((always_inline)) static inline const prof_ruled *rule_of(pTHX_ prof *p, CV *cv)
{
    HEK *package = NULL;
    const HEK *name = prof_name_of_cv(aTHX_ cv, &package);
    if (name == NULL)
        return NULL;
    prof_ruled *slot = &p->labels.ruled[HEK_HASH(name) >> 8 & (PROF_RULED_SLOTS - 1)];
    if (UNLIKELY(slot->name != name || slot->package != package))
        keep_rule(aTHX_ p, cv, package, name, slot);
    return slot->name == name && slot->package == package && slot->rule != NULL ? slot : NULL;
}

/* Returns whether a sub with that name may have a rule. */
static inline bool may_have_rule(pTHX_ const prof_rules *rules, CV *cv)
{
    if (CvNAMED(cv))
        return prof_rules_may_have(rules, CvNAME_HEK(cv));
    const GV *gv = CvGV(cv);
    return gv != NULL && SvTYPE(gv) == SVt_PVGV && prof_rules_may_have(rules, GvNAME_HEK(gv));
}

/* `&f;` passes on @_. */
static argument_list arguments_of_xsub(pTHX)
{
    if (!(PL_op->op_flags & OPf_STACKED))
        return (argument_list){NULL, GvAV(PL_defgv), 0};
    SV **first = PL_stack_base + TOPMARK + 1;
    return (argument_list){first, NULL, PL_stack_sp - first};
}

static OP *call_xsub(pTHX_ prof *p, const prof_ruled *ruled)
{
    const uint64_t began = prof_now(p);
    const argument_list arguments = arguments_of_xsub(aTHX);
    const uint32_t sub = label_of(aTHX_ p, ruled, &arguments);
    if (sub == PROF_SUB_NONE)
        return unlabelled(aTHX);
    return prof_run_labelled(aTHX_ p, sub, prof_original[OP_ENTERSUB], began);
}

/* Gives the call of the top frame, of a perl sub, its label. */
static void label_top_frame(pTHX_ prof *p, const prof_ruled *ruled)
{
    const uint64_t began = prof_now(p);
    const argument_list arguments = {NULL, CxHASARGS(CX_CUR()) ? (AV *)PAD_SVl(0) : GvAV(PL_defgv), 0};
    const uint32_t sub = label_of(aTHX_ p, ruled, &arguments);
    if (sub != PROF_SUB_NONE)
        prof_call_rename(aTHX_ p, prof_top_frame(p), sub);
    prof_probe_end(p, PROF_PROBE_LABEL, began);
}

/* Labels the call of the top frame if it is of that sub, and has begun since `serial` was the latest. */
static void label_call_since(pTHX_ prof *p, const prof_ruled *ruled, uintptr_t serial)
{
    const prof_frame *top = p->frames.count > 0 ? prof_top_frame(p) : NULL;
    if (top != NULL && top->sub == ruled->sub && top->serial > serial && top->cxix == cxstack_ix)
        label_top_frame(aTHX_ p, ruled);
}

/* The call is recorded, and gets its label when its arguments are in @_. */
static __attribute__((noinline)) OP *call_perl_sub(pTHX_ prof *p, prof_ruled ruled)
{
    const uintptr_t serial = p->frames.serial;
    OP *next = unlabelled(aTHX);
    label_call_since(aTHX_ p, &ruled, serial);
    return next;
}

/* Returns the sub that is called; NULL if it is not defined, or if only running code could say. */
static inline CV *called_cv(pTHX)
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

static inline bool is_defined(const CV *cv)
{
    return CvISXSUB(cv) || CvROOT(cv) != NULL;
}

static __attribute__((noinline)) OP *call_ruled(pTHX_ prof *p, CV *cv)
{
    const prof_ruled *ruled = is_defined(cv) ? rule_of(aTHX_ p, cv) : NULL;
    if (ruled == NULL)
        return unlabelled(aTHX);
    return CvISXSUB(cv) ? call_xsub(aTHX_ p, ruled) : call_perl_sub(aTHX_ p, *ruled);
}

/* What needs saved registers is out of line, so that other calls do not save them. */
static OP *handle_ENTERSUB(pTHX)
{
    prof *p = prof_of(aTHX);
    CV *cv = p != NULL && p->enabled.subs ? called_cv(aTHX) : NULL;
    if (LIKELY(cv == NULL || !may_have_rule(aTHX_ & p->labels.rules, cv)))
        return unlabelled(aTHX);
    return call_ruled(aTHX_ p, cv);
}

static const prof_ruled *rule_of_goto(pTHX_ prof *p, CV *cv)
{
    const prof_rules *rules = &p->labels.rules;
    return rules->count > 0 && is_defined(cv) && may_have_rule(aTHX_ rules, cv) ? rule_of(aTHX_ p, cv) : NULL;
}

void prof_label_goto_sub(pTHX_ prof *p, CV *cv, uintptr_t serial)
{
    const prof_ruled *ruled = rule_of_goto(aTHX_ p, cv);
    if (ruled != NULL)
        label_call_since(aTHX_ p, ruled, serial);
}

void prof_label_goto_xsub(pTHX_ prof *p, CV *cv, prof_callee *callee)
{
    const prof_ruled *ruled = rule_of_goto(aTHX_ p, cv);
    if (ruled == NULL)
        return;
    const uint64_t began = prof_now(p);
    const argument_list arguments = {NULL, GvAV(PL_defgv), 0};
    const uint32_t sub = label_of(aTHX_ p, ruled, &arguments);
    if (sub != PROF_SUB_NONE)
        *callee = prof_callee_labelled(sub);
    prof_probe_end(p, PROF_PROBE_LABEL, began);
}

void prof_replace_ruled(const prof_rules *rules)
{
    if (rules->count > 0 && unlabelled == NULL) {
        unlabelled = PL_ppaddr[OP_ENTERSUB];
        prof_ops_set(OP_ENTERSUB, handle_ENTERSUB);
    }
}
