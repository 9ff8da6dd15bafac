#include "subs.h"

#include "names.h"
#include "structure.h"

#include <glib.h>
#include <stdio.h>

enum { BODY_ROOM = 4096, MOST_OPS = 16 /* before a sub's first statement */ };

struct record_subs {
    const record_interpreter *i, *kept;
    const record_optypes *types;
    record_statements *statements;
    nytp_strings *strings;
    GHashTable *by_address;
};

record_subs *record_subs_new(const record_interpreter *i, const record_interpreter *kept,
                             const record_optypes *types, record_statements *statements,
                             nytp_strings *strings)
{
    record_subs *s = g_new(record_subs, 1);
    *s = (record_subs){i,          kept,    types,
                       statements, strings, g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free)};
    return s;
}

void record_subs_free(record_subs *s)
{
    if (s == NULL)
        return;
    g_hash_table_destroy(s->by_address);
    g_free(s);
}

record_sub *record_subs_known(const record_subs *s, uint64_t address)
{
    return g_hash_table_lookup(s->by_address, &address);
}

/* The first statement that it executes. */
static const record_statement *first_statement(const record_subs *s, uint64_t op)
{
    const record_layout *l = &s->i->layout;
    for (int ops = 0; ops < MOST_OPS && op != 0; ops++) {
        uint32_t word = record_memory_u32(&s->kept->memory, op + l->op_type) & 0xFFFF;
        if (record_optypes_is_statement(s->types, word & l->op_type_mask))
            return record_statements_read(s->statements, op);
        op = record_memory_pointer(&s->kept->memory, op + l->op_next);
    }
    return NULL;
}

static bool ends_with(const record_name *name, const char *text)
{
    size_t length = strlen(text);
    return name->length >= length && memcmp(name->bytes + name->length - length, text, length) == 0;
}

/* Perl has no places in names without -d: __ANON__[FILE:LINE] and BEGIN@LINE as the collector has them. */
static void add_place(const record_subs *s, record_name *name, const record_statement *first)
{
    char line[16];
    size_t length;
    if (first == NULL)
        return;
    if (ends_with(name, "::__ANON__")) {
        const char *file = nytp_strings_get(s->strings, first->file, &length);
        snprintf(line, sizeof line, ":%u]", (unsigned)first->line);
        record_name_add_text(name, "[");
        record_name_add(name, file, length, false);
        record_name_add_text(name, line);
    } else if (ends_with(name, "::BEGIN")) {
        snprintf(line, sizeof line, "@%u", (unsigned)first->line);
        record_name_add_text(name, line);
    }
}

static bool read_name(const record_subs *s, record_sub *sub, uint64_t stash, record_name *name)
{
    if ((sub->flags & s->i->layout.cv_flag_named) == 0)
        return record_name_add_gv(s->kept, name, sub->name_address);
    if (!record_name_add_stash(s->kept, name, stash))
        record_name_add_text(name, "main");
    record_name_add_text(name, "::");
    return record_name_add_hek(s->kept, name, sub->name_address);
}

static bool learn(const record_subs *s, record_sub *sub, uint64_t stash)
{
    record_name name = {0};
    const record_statement *first = first_statement(s, sub->start);
    sub->file = first != NULL ? first->file : RECORD_NO_STRING;
    sub->first_line = first != NULL ? first->line : 0;
    if (!read_name(s, sub, stash, &name))
        record_name_add_text(&name, "main::__ANON__"); /* it was undefined, or its glob deleted */
    add_place(s, &name, first);
    int64_t number = nytp_strings_intern(s->strings, name.bytes, name.length);
    sub->name = number < 0 ? 0 : (uint32_t)number;
    sub->utf8 = name.utf8;
    return number >= 0;
}

static void parse(const record_layout *l, const unsigned char *body, record_sub *sub)
{
    sub->start = record_u64(body + l->xpvcv_start);
    sub->root = record_u64(body + l->xpvcv_root);
    sub->name_address = record_u64(body + l->xpvcv_gv);
    sub->sequence = record_u32(body + l->xpvcv_outside_seq);
    sub->flags = record_u32(body + l->xpvcv_flags);
}

static bool is_same(const record_sub *a, const record_sub *b)
{
    return a->body == b->body && a->start == b->start && a->root == b->root && a->sequence == b->sequence &&
           a->name_address == b->name_address && a->flags == b->flags;
}

/* Whether it is still what was found: its names were read after it, and it may have been freed in between. */
static bool is_still(const record_subs *s, const record_sub *found)
{
    const record_layout *l = &s->i->layout;
    unsigned char body[BODY_ROOM];
    record_sub again = {0};
    record_piece pieces[] = {
        {found->address + l->sv_any, sizeof again.body, &again.body},
        {found->body, l->xpvcv_size, body},
    };
    if (record_memory_read_pieces(&s->i->memory, pieces, 2) != 2)
        return false;
    parse(l, body, &again);
    return is_same(found, &again);
}

const record_sub *record_subs_at(record_subs *s, uint64_t address, const unsigned char *head,
                                 const unsigned char *body)
{
    const record_layout *l = &s->i->layout;
    unsigned char read[BODY_ROOM];
    record_sub found = {.address = address, .body = record_u64(head + l->sv_any)};
    record_sub *known = g_hash_table_lookup(s->by_address, &address);
    if ((record_u32(head + l->sv_flags) & l->sv_type_mask) != l->sv_type_cv || found.body == 0)
        return NULL;
    if (body == NULL || known == NULL || known->body != found.body) {
        if (!record_memory_read(&s->i->memory, found.body, read, l->xpvcv_size))
            return NULL;
        body = read;
    }
    parse(l, body, &found);
    if (known != NULL && is_same(known, &found))
        return known;
    if ((found.flags & l->cv_flag_isxsub) != 0 || !learn(s, &found, record_u64(body + l->xpvcv_stash)) ||
        !is_still(s, &found)) {
        record_subs_forget(s, address);
        return NULL;
    }
    if (known == NULL) {
        known = g_new(record_sub, 1);
        known->address = address;
        g_hash_table_insert(s->by_address, &known->address, known);
    }
    *known = found;
    return known;
}

void record_subs_forget(record_subs *s, uint64_t address)
{
    g_hash_table_remove(s->by_address, &address);
}
