#include "statements.h"

#include "names.h"
#include "structure.h"

#include <glib.h>

enum { MOST_OPS = 4096 /* on the way up to a root */, FILE_ROOM = 4096 };

struct record_statements {
    const record_interpreter *i, *kept;
    const record_optypes *types;
    nytp_strings *strings;
    GHashTable *by_address;
    record_statement passing; /* one that is not kept */
};

record_statements *record_statements_new(const record_interpreter *i, const record_interpreter *kept,
                                         const record_optypes *types, nytp_strings *strings)
{
    record_statements *s = g_new0(record_statements, 1);
    s->i = i;
    s->kept = kept;
    s->types = types;
    s->strings = strings;
    s->by_address = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    return s;
}

void record_statements_free(record_statements *s)
{
    if (s == NULL)
        return;
    g_hash_table_destroy(s->by_address);
    g_free(s);
}

static uint32_t read_file(const record_statements *s, uint64_t address)
{
    char text[FILE_ROOM];
    if (s->i->layout.cop_file != RECORD_ABSENT)
        return record_memory_string(&s->kept->memory, address, text, sizeof text)
                   ? record_intern(s->strings, text, strlen(text))
                   : RECORD_NO_STRING;
    record_name name = {0}; /* of a glob: main::_<FILE */
    static const char before[] = "main::_<";
    if (!record_name_add_gv(s->kept, &name, address) || name.length < sizeof before - 1 ||
        memcmp(name.bytes, before, sizeof before - 1) != 0)
        return RECORD_NO_STRING;
    return record_intern(s->strings, name.bytes + sizeof before - 1, name.length - (sizeof before - 1));
}

static void parse(const record_layout *l, const unsigned char *cop, record_statement *statement)
{
    statement->line = record_u32(cop + l->cop_line);
    statement->sequence = record_u32(cop + l->cop_seq);
    statement->file_address = record_u64(cop + record_layout_file(l));
    statement->stash = record_u64(cop + record_layout_stash(l));
}

static bool is_same(const record_statement *a, const record_statement *b)
{
    return a->line == b->line && a->sequence == b->sequence && a->file_address == b->file_address &&
           a->stash == b->stash;
}

/* Whether memory still has what was found. */
static bool is_still(const record_memory *memory, const record_layout *l, const record_statement *found)
{
    unsigned char cop[RECORD_COP_ROOM];
    record_statement again = {0};
    if (!record_memory_read(memory, found->address, cop, l->cop_size))
        return false;
    parse(l, cop, &again);
    return is_same(found, &again);
}

/* The op that continues the tree that ends at op; 0: that is its root. The code of s///e is a tree of its
 * own, whose root, a LOGOP, has the substitution after its first child (perl's op.h). */
static uint64_t find_outer(const record_statements *s, uint64_t op)
{
    const record_layout *l = &s->i->layout;
    return record_optype_read(s->kept, op) == s->types->substcont
               ? record_memory_pointer(&s->kept->memory, op + l->op_first + l->pointer_size)
               : 0;
}

/* Ops lead to their siblings, and the last one to the parent, which has siblings, too. Statements are
 * siblings: the first one that is known ends the search. */
static uint64_t find_root(const record_statements *s, uint64_t op)
{
    const record_layout *l = &s->i->layout;
    if (l->op_moresib_mask == 0)
        return 0;
    for (int ops = 0; ops < MOST_OPS; ops++) {
        uint64_t next = record_memory_pointer(&s->kept->memory, op + l->op_sibparent);
        if (next == 0 && ops > 0 && (next = find_outer(s, op)) == 0)
            return op;
        if (next == 0)
            return 0; /* a copy that perl made for a BEGIN block is in no tree */
        const record_statement *known = g_hash_table_lookup(s->by_address, &next);
        if (known != NULL && known->root != 0 && is_still(&s->kept->memory, l, known))
            return known->root;
        op = next;
    }
    return 0;
}

record_statement *record_statements_known(record_statements *s, uint64_t address)
{
    return g_hash_table_lookup(s->by_address, &address);
}

const record_statement *record_statements_at(record_statements *s, uint64_t address, const unsigned char *cop)
{
    const record_layout *l = &s->i->layout;
    uint32_t type = record_optype_parse(l, cop + l->op_type);
    bool lasting = record_optypes_is_statement(s->types, type);
    record_statement found = {.address = address, .package = {RECORD_NO_STRING, false}};
    if (!lasting && type != 0) /* 0: what the compiler has, whose line changes */
        return NULL;
    parse(l, cop, &found);
    record_statement *known = lasting ? g_hash_table_lookup(s->by_address, &address) : NULL;
    if (known != NULL && is_same(known, &found))
        return known;
    found.file = found.file_address != 0 ? read_file(s, found.file_address) : RECORD_NO_STRING;
    if (!lasting) {
        s->passing = found;
        return found.file != RECORD_NO_STRING ? &s->passing : NULL;
    }
    found.root = find_root(s, address);
    /* Its file was read after it, and it may have been freed in between. */
    if (found.file == RECORD_NO_STRING || !is_still(&s->i->memory, l, &found)) {
        record_statements_forget(s, address);
        return NULL;
    }
    if (known == NULL) {
        known = g_new(record_statement, 1);
        known->address = address;
        g_hash_table_insert(s->by_address, &known->address, known);
    }
    *known = found;
    return known;
}

const record_statement *record_statements_read(record_statements *s, uint64_t address)
{
    unsigned char cop[RECORD_COP_ROOM];
    if (address == 0 || !record_memory_read(&s->i->memory, address, cop, s->i->layout.cop_size))
        return NULL;
    return record_statements_at(s, address, cop);
}

record_label record_statements_package(record_statements *s, const record_statement *statement)
{
    record_statement *known = g_hash_table_lookup(s->by_address, &statement->address);
    if (known != NULL && known->package.name != RECORD_NO_STRING)
        return known->package;
    uint64_t stash = statement->stash;
    if (s->i->layout.cop_stashoff != RECORD_ABSENT) {
        uint64_t pad = record_memory_pointer(&s->kept->memory, s->i->at.stashpad);
        uint64_t most = record_memory_pointer(&s->kept->memory, s->i->at.stashpadmax);
        stash = pad != 0 && stash < most ? record_memory_pointer(&s->kept->memory, pad + stash * sizeof stash)
                                         : 0;
    }
    record_name name = {0};
    if (!record_name_add_stash(s->kept, &name, stash))
        return (record_label){RECORD_NO_STRING, false};
    record_label package = {record_intern(s->strings, name.bytes, name.length), name.utf8};
    if (known != NULL)
        known->package = package;
    return package;
}

size_t record_statements_count(const record_statements *s)
{
    return g_hash_table_size(s->by_address);
}

void record_statements_forget(record_statements *s, uint64_t address)
{
    g_hash_table_remove(s->by_address, &address);
}
