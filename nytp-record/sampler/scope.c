#include "scope.h"

bool record_scope_find_statement(const record_lookup *at, uint64_t address, const unsigned char *cop,
                                 record_statement *to)
{
    const record_statement *found = NULL;
    uint32_t type = cop != NULL ? record_optype_parse(&at->i->layout, cop + at->i->layout.op_type) : 0;
    if (type != 0 && !record_optypes_is_statement(at->types, type)) /* 0: what the compiler has */
        return false;
    if (cop != NULL)
        found = record_statements_at(at->statements, address, cop);
    record_statement *known = address != 0 ? record_statements_known(at->statements, address) : NULL;
    if (cop == NULL)
        found = known;
    else if (known != NULL)
        known->checked = at->number;
    *to = found != NULL ? *found
                        : (record_statement){.file = RECORD_NO_STRING, .package = {RECORD_NO_STRING, false}};
    return true;
}

/* Has a statement not be read again while the code of its sub stays the same. */
static void note_code(record_statements *statements, const record_statement *found,
                      const record_scope *around)
{
    if (around->sub == NULL || record_codeid_is(found->within, around->sub->code))
        return;
    record_statement *known = record_statements_known(statements, found->address);
    if (known != NULL)
        known->within = around->sub->code;
}

enum record_fit record_scope_fit(const record_lookup *at, const record_statement *statement,
                                 const record_scope *around)
{
    if (statement->root == 0)
        return RECORD_FIT_UNKNOWN;
    bool is_of_sub = statement->within.root == statement->root;
    if (around->root == 0)
        return around->sub != NULL || (around->is_eval && is_of_sub) ? RECORD_CONTRADICTS
                                                                     : RECORD_FIT_UNKNOWN;
    if (statement->root != around->root)
        return RECORD_CONTRADICTS;
    note_code(at->statements, statement, around);
    return RECORD_FITS;
}

void record_scope_doubt(const record_lookup *at, const record_statement *statement,
                        const record_scope *around)
{
    record_statement *known = record_statements_known(at->statements, statement->address);
    record_sub *sub = around->sub != NULL ? record_subs_known(at->subs, around->sub->address) : NULL;
    if (known != NULL)
        known->checked = 0;
    if (sub != NULL)
        sub->checked = 0;
}

void record_scope_forget(const record_lookup *at, const record_statement *statement,
                         const record_scope *around)
{
    record_statements_forget(at->statements, statement->address);
    if (around->sub != NULL)
        record_subs_forget(at->subs, around->sub->address);
}

const record_sub *record_scope_sub_of(const record_lookup *at, const record_statement *statement)
{
    const record_sub *learned = statement->root != 0 ? record_subs_of_code(at->subs, statement->root) : NULL;
    bool is_same = learned != NULL &&
                   (record_codeid_is(learned->code, statement->within) ||
                    record_subs_begins_with(learned, record_statements_read(at->statements, learned->first)));
    return is_same ? learned : NULL;
}

bool record_scope_correct(const record_lookup *at, record_scope *around, const record_sub *learned)
{
    if (learned == NULL || around->sub == NULL ||
        (around->root != 0 && !record_subs_is_passing(at->subs, around->sub)))
        return false;
    uint64_t address = around->sub->address;
    *around->sub = *learned;
    around->sub->address = address;
    around->root = learned->code.root;
    around->is_unchanged = true;
    return true;
}

bool record_scope_correct_last(const record_lookup *at, record_scope *around,
                               const record_statement *statement)
{
    if (around->is_unchanged)
        return false;
    const record_sub *learned = record_scope_sub_of(at, statement);
    return learned != NULL && record_subs_is_passing(at->subs, learned) &&
           record_scope_correct(at, around, learned);
}
