#include "model/hashes.h"
#include "sampler/perl/statements.h"

#include "sampler/perl/interpreter.h"

#include <glib.h>

enum { MOST_OPS = 4096 /* on the way up to a root */, FILE_ROOM = 4096 };

struct sampler_statements {
    const sampler_interpreter *i, *paged;
    const sampler_optypes *types;
    nytp_strings *strings;
    GHashTable *by_address;
    sampler_statement unkept; /* one that is not kept */
};

sampler_statements *sampler_statements_new(const sampler_interpreter *i, const sampler_interpreter *paged,
                                           const sampler_optypes *types, nytp_strings *strings)
{
    sampler_statements *s = g_new0(sampler_statements, 1);
    s->i = i;
    s->paged = paged;
    s->types = types;
    s->strings = strings;
    s->by_address = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, NULL, g_free);
    return s;
}

void sampler_statements_free(sampler_statements *s)
{
    if (s == NULL)
        return;
    g_hash_table_destroy(s->by_address);
    g_free(s);
}

static uint32_t read_file(const sampler_statements *s, uint64_t address)
{
    char text[FILE_ROOM];
    if (s->i->layout.cop_file != SAMPLER_ABSENT)
        return sampler_memory_string(&s->paged->memory, address, text, sizeof text)
                   ? sampler_intern(s->strings, text, strlen(text))
                   : SAMPLER_NO_STRING;
    sampler_name name = {0}; /* of a glob: main::_<FILE */
    static const char before[] = "main::_<";
    if (!sampler_name_add_gv(s->paged, &name, address) || name.length < sizeof before - 1 ||
        memcmp(name.bytes, before, sizeof before - 1) != 0)
        return SAMPLER_NO_STRING;
    return sampler_intern(s->strings, name.bytes + sizeof before - 1, name.length - (sizeof before - 1));
}

static void parse(const sampler_layout *l, const unsigned char *cop, sampler_statement *statement)
{
    statement->line = sampler_u32(cop + l->cop_line);
    statement->sequence = sampler_u32(cop + l->cop_seq);
    statement->file_address = sampler_u64(cop + sampler_layout_file(l));
    statement->stash = sampler_u64(cop + sampler_layout_stash(l));
}

static bool is_same(const sampler_statement *a, const sampler_statement *b)
{
    return a->line == b->line && a->sequence == b->sequence && a->file_address == b->file_address &&
           a->stash == b->stash;
}

/* Whether memory still has what was found. */
static bool is_still(const sampler_memory *memory, const sampler_layout *l, const sampler_statement *found)
{
    unsigned char cop[SAMPLER_COP_ROOM];
    sampler_statement again = {0};
    if (!sampler_memory_read(memory, found->address, cop, l->cop_size))
        return false;
    parse(l, cop, &again);
    return is_same(found, &again);
}

/* Whether the compiler's statement still has the file whose name was read: perl frees the name when it has
 * compiled the file. The line changes all the time. */
static bool has_still_file(const sampler_statements *s, const sampler_statement *found)
{
    uint64_t at = found->address + sampler_layout_file(&s->i->layout);
    return sampler_memory_pointer(&s->i->memory, at) == found->file_address;
}

/* Returns the op that continues the tree that ends at op, or 0 if that is its root. The code of s///e is a
 * tree of its own, whose root, a LOGOP, has the substitution after its first child (perl's op.h). */
static uint64_t find_outer(const sampler_statements *s, uint64_t op)
{
    const sampler_layout *l = &s->i->layout;
    return sampler_optype_read(s->paged, op) == s->types->substcont
               ? sampler_memory_pointer(&s->paged->memory, op + l->op_first + l->pointer_size)
               : 0;
}

/* Ops lead to their siblings, and the last one to the parent, which has siblings, too. Statements are
 * siblings: the first one that is known ends the search. */
static uint64_t find_root(const sampler_statements *s, uint64_t op)
{
    const sampler_layout *l = &s->i->layout;
    if (l->op_moresib_mask == 0)
        return 0;
    for (int ops = 0; ops < MOST_OPS; ops++) {
        uint64_t next = sampler_memory_pointer(&s->paged->memory, op + l->op_sibparent);
        if (next == 0 && ops > 0 && (next = find_outer(s, op)) == 0)
            return op;
        if (next == 0)
            return 0; /* a copy that perl made for a BEGIN block is in no tree */
        const sampler_statement *known = g_hash_table_lookup(s->by_address, &next);
        if (known != NULL && known->root != 0 && is_still(&s->paged->memory, l, known))
            return known->root;
        op = next;
    }
    return 0;
}

sampler_statement *sampler_statements_known(sampler_statements *s, uint64_t address)
{
    return g_hash_table_lookup(s->by_address, &address);
}

const sampler_statement *sampler_statements_at(sampler_statements *s, uint64_t address,
                                               const unsigned char *cop)
{
    const sampler_layout *l = &s->i->layout;
    uint32_t type = sampler_optype_parse(l, cop + l->op_type);
    bool lasting = sampler_optypes_is_statement(s->types, type);
    sampler_statement found = {.address = address, .package = {SAMPLER_NO_STRING, false}};
    if (!lasting && type != 0) /* 0: what the compiler has, whose line changes */
        return NULL;
    parse(l, cop, &found);
    sampler_statement *known = lasting ? g_hash_table_lookup(s->by_address, &address) : NULL;
    if (known != NULL && is_same(known, &found))
        return known;
    found.file = found.file_address != 0 ? read_file(s, found.file_address) : SAMPLER_NO_STRING;
    if (!lasting) {
        s->unkept = found;
        return found.file != SAMPLER_NO_STRING && has_still_file(s, &found) ? &s->unkept : NULL;
    }
    found.root = find_root(s, address);
    /* Its file was read after it, and it may have been freed in between. */
    if (found.file == SAMPLER_NO_STRING || !is_still(&s->i->memory, l, &found)) {
        sampler_statements_forget(s, address);
        return NULL;
    }
    if (known == NULL) {
        known = g_new(sampler_statement, 1);
        known->address = address;
        g_hash_table_insert(s->by_address, &known->address, known);
    }
    *known = found;
    return known;
}

const sampler_statement *sampler_statements_read(sampler_statements *s, uint64_t address)
{
    unsigned char cop[SAMPLER_COP_ROOM];
    if (address == 0 || !sampler_memory_read(&s->i->memory, address, cop, s->i->layout.cop_size))
        return NULL;
    return sampler_statements_at(s, address, cop);
}

sampler_label sampler_statements_package(sampler_statements *s, const sampler_statement *statement)
{
    sampler_statement *known = g_hash_table_lookup(s->by_address, &statement->address);
    if (known != NULL && known->package.name != SAMPLER_NO_STRING)
        return known->package;
    uint64_t stash = statement->stash;
    if (s->i->layout.cop_stashoff != SAMPLER_ABSENT) {
        uint64_t pad = sampler_memory_pointer(&s->paged->memory, s->i->at.stashpad);
        uint64_t most = sampler_memory_pointer(&s->paged->memory, s->i->at.stashpadmax);
        stash = pad != 0 && stash < most
                    ? sampler_memory_pointer(&s->paged->memory, pad + stash * sizeof stash)
                    : 0;
    }
    sampler_name name = {0};
    if (!sampler_name_add_stash(s->paged, &name, stash))
        return (sampler_label){SAMPLER_NO_STRING, false};
    sampler_label package = {sampler_intern(s->strings, name.bytes, name.length), name.utf8};
    if (known != NULL)
        known->package = package;
    return package;
}

size_t sampler_statements_count(const sampler_statements *s)
{
    return g_hash_table_size(s->by_address);
}

void sampler_statements_forget(sampler_statements *s, uint64_t address)
{
    g_hash_table_remove(s->by_address, &address);
}
