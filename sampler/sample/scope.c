#include "sampler/sample/consistency.h"

bool sampler_scope_find_statement(const sampler_lookup *at, uint64_t address, const unsigned char *cop,
                                  sampler_statement *to)
{
    const sampler_statement *found = NULL;
    uint32_t type = cop != NULL ? sampler_optype_parse(&at->i->layout, cop + at->i->layout.op_type) : 0;
    if (type != 0 && !sampler_optypes_is_statement(at->types, type)) /* 0: what the compiler has */
        return false;
    if (cop != NULL)
        found = sampler_statements_at(at->statements, address, cop);
    sampler_statement *known = address != 0 ? sampler_statements_known(at->statements, address) : NULL;
    if (cop == NULL)
        found = known;
    else if (known != NULL)
        known->checked = at->generation;
    *to = found != NULL
              ? *found
              : (sampler_statement){.file = SAMPLER_NO_STRING, .package = {SAMPLER_NO_STRING, false}};
    return true;
}

/* Marks a statement as checked: it is not read again while the code of its sub stays the same. */
static void note_code(sampler_statements *statements, const sampler_statement *found,
                      const sampler_scope *around)
{
    if (around->sub == NULL || sampler_codeid_is(found->within, around->sub->code))
        return;
    sampler_statement *known = sampler_statements_known(statements, found->address);
    if (known != NULL)
        known->within = around->sub->code;
}

enum sampler_fit sampler_scope_fit(const sampler_lookup *at, const sampler_statement *statement,
                                   const sampler_scope *around)
{
    if (statement->root == 0)
        return SAMPLER_FIT_UNKNOWN;
    bool is_of_sub = statement->within.root == statement->root;
    if (around->root == 0)
        return around->sub != NULL || (around->is_eval && is_of_sub && statement->address != around->done_by)
                   ? SAMPLER_CONTRADICTS
                   : SAMPLER_FIT_UNKNOWN;
    if (statement->root != around->root)
        return SAMPLER_CONTRADICTS;
    note_code(at->statements, statement, around);
    return SAMPLER_FITS;
}

void sampler_scope_doubt(const sampler_lookup *at, const sampler_statement *statement,
                         const sampler_scope *around)
{
    sampler_statement *known = sampler_statements_known(at->statements, statement->address);
    sampler_sub *sub = around->sub != NULL ? sampler_subs_known(at->subs, around->sub->address) : NULL;
    if (known != NULL)
        known->checked = 0;
    if (sub != NULL)
        sub->checked = 0;
}

void sampler_scope_forget(const sampler_lookup *at, const sampler_statement *statement,
                          const sampler_scope *around)
{
    sampler_statements_forget(at->statements, statement->address);
    if (around->sub != NULL)
        sampler_subs_forget(at->subs, around->sub->address);
}

const sampler_sub *sampler_scope_sub_of(const sampler_lookup *at, const sampler_statement *statement)
{
    const sampler_sub *learned =
        statement->root != 0 ? sampler_subs_of_code(at->subs, statement->root) : NULL;
    bool is_same =
        learned != NULL &&
        (sampler_codeid_is(learned->code, statement->within) ||
         sampler_subs_begins_with(learned, sampler_statements_read(at->statements, learned->first)));
    return is_same ? learned : NULL;
}

bool sampler_scope_correct(const sampler_lookup *at, sampler_scope *around, const sampler_sub *learned)
{
    if (learned == NULL || around->sub == NULL ||
        (around->root != 0 && !sampler_subs_is_short_lived(at->subs, around->sub)))
        return false;
    uint64_t address = around->sub->address;
    *around->sub = *learned;
    around->sub->address = address;
    around->root = learned->code.root;
    around->is_unchanged = true;
    return true;
}

bool sampler_scope_correct_last(const sampler_lookup *at, sampler_scope *around,
                                const sampler_statement *statement)
{
    if (around->is_unchanged)
        return false;
    const sampler_sub *learned = sampler_scope_sub_of(at, statement);
    return learned != NULL && sampler_subs_is_short_lived(at->subs, learned) &&
           sampler_scope_correct(at, around, learned);
}
