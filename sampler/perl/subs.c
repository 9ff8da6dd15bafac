#include "model/hashes.h"
#include "sampler/perl/subs.h"

#include "sampler/perl/interpreter.h"

#include <glib.h>
#include <stdio.h>

enum {
    MOST_OPS = 16, /* before a sub's first statement */
    MOST_USES = 100,
};

struct sampler_subs {
    const sampler_interpreter *i, *paged;
    const sampler_optypes *types;
    sampler_statements *statements;
    nytp_strings *strings;
    GHashTable *by_address; /* of sampler_sub, by address */
    GHashTable *learned;    /* of learned, by root */
};

/* What was learned last about some code. Closures come and go at any address, and may not live for as long as
 * that takes. */
typedef struct learned {
    uint64_t root;
    sampler_sub sub;
    int uses;
} learned;

sampler_subs *sampler_subs_new(const sampler_interpreter *i, const sampler_interpreter *paged,
                               const sampler_optypes *types, sampler_statements *statements,
                               nytp_strings *strings)
{
    sampler_subs *s = g_new(sampler_subs, 1);
    *s = (sampler_subs){.i = i, .paged = paged, .types = types, .statements = statements, .strings = strings};
    s->by_address = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, NULL, g_free);
    s->learned = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, NULL, g_free);
    return s;
}

void sampler_subs_free(sampler_subs *s)
{
    if (s == NULL)
        return;
    g_hash_table_destroy(s->by_address);
    g_hash_table_destroy(s->learned);
    g_free(s);
}

/* The first statement that it executes. */
static const sampler_statement *first_statement(const sampler_subs *s, uint64_t op)
{
    const sampler_layout *l = &s->i->layout;
    for (int ops = 0; ops < MOST_OPS && op != 0; ops++) {
        if (sampler_optypes_is_statement(s->types, sampler_optype_read(s->paged, op)))
            return sampler_statements_read(s->statements, op);
        op = sampler_memory_pointer(&s->paged->memory, op + l->op_next);
    }
    return NULL;
}

static bool ends_with(const sampler_name *name, const char *text)
{
    size_t length = strlen(text);
    return name->length >= length && memcmp(name->bytes + name->length - length, text, length) == 0;
}

/* Perl has no places in names without -d: __ANON__[FILE:LINE] and BEGIN@LINE as the collector has them. */
static void add_place(const sampler_subs *s, sampler_name *name, const sampler_statement *first)
{
    char line[16];
    size_t length;
    if (first == NULL)
        return;
    if (ends_with(name, "::__ANON__")) {
        const char *file = nytp_strings_get(s->strings, first->file, &length);
        snprintf(line, sizeof line, ":%u]", (unsigned)first->line);
        sampler_name_add_text(name, "[");
        sampler_name_add(name, file, length, false);
        sampler_name_add_text(name, line);
    } else if (ends_with(name, "::BEGIN")) {
        snprintf(line, sizeof line, "@%u", (unsigned)first->line);
        sampler_name_add_text(name, line);
    }
}

static bool read_name(const sampler_subs *s, sampler_sub *sub, uint64_t stash, sampler_name *name)
{
    if ((sub->flags & s->i->layout.cv_flag_named) == 0)
        return sampler_name_add_gv(s->paged, name, sub->name_address);
    if (!sampler_name_add_stash(s->paged, name, stash))
        sampler_name_add_text(name, "main");
    sampler_name_add_text(name, "::");
    return sampler_name_add_hek(s->paged, name, sub->name_address);
}

static void parse(const sampler_layout *l, const unsigned char *body, sampler_sub *sub)
{
    sub->start = sampler_u64(body + l->xpvcv_start);
    sub->code.root = sampler_u64(body + l->xpvcv_root);
    sub->name_address = sampler_u64(body + l->xpvcv_gv);
    sub->code.sequence = sampler_u32(body + l->xpvcv_outside_seq);
    sub->flags = sampler_u32(body + l->xpvcv_flags);
}

static bool is_same(const sampler_sub *a, const sampler_sub *b)
{
    return a->start == b->start && sampler_codeid_is(a->code, b->code) &&
           a->name_address == b->name_address && a->flags == b->flags;
}

/* The glob that names a sub: where its body is, and the name that it has. */
typedef struct glob {
    uint64_t body, name;
} glob;

static glob read_glob(const sampler_subs *s, const sampler_sub *sub)
{
    const sampler_layout *l = &s->i->layout;
    glob g = {0};
    if ((sub->flags & l->cv_flag_named) != 0)
        return g;
    g.body = sampler_memory_pointer(&s->paged->memory, sub->name_address + l->sv_any);
    g.name = sampler_memory_pointer(&s->paged->memory, g.body + l->xpvgv_namehek);
    return g;
}

/* Whether a sub and its glob are still what they were: the names were read one after the other, and may have
 * been freed in between, and be those of another sub. */
static bool is_still(const sampler_subs *s, const sampler_sub *found, const glob *named)
{
    const sampler_layout *l = &s->i->layout;
    unsigned char body[SAMPLER_XPVCV_ROOM];
    uint64_t at = 0;
    sampler_sub again = {0};
    glob before = *named, after = *named;
    sampler_piece pieces[] = {
        {found->name_address + l->sv_any, sizeof before.body, &before.body},
        {named->body + l->xpvgv_namehek, sizeof before.name, &before.name},
        {found->address + l->sv_any, sizeof at, &at},
        {found->body, l->xpvcv_size, body},
        {found->name_address + l->sv_any, sizeof after.body, &after.body},
        {named->body + l->xpvgv_namehek, sizeof after.name, &after.name},
    };
    bool has_glob = named->body != 0;
    int wanted = has_glob ? 6 : 2;
    if (sampler_memory_read_pieces(&s->i->memory, has_glob ? pieces : pieces + 2, wanted) != wanted)
        return false;
    parse(l, body, &again);
    return at == found->body && is_same(found, &again) && memcmp(&before, named, sizeof before) == 0 &&
           memcmp(&after, named, sizeof after) == 0;
}

static bool learn(const sampler_subs *s, sampler_sub *sub, uint64_t stash)
{
    sampler_name name = {0};
    glob named = read_glob(s, sub);
    const sampler_statement *first = first_statement(s, sub->start);
    sub->first = first != NULL ? first->address : 0;
    sub->file = first != NULL ? first->file : SAMPLER_NO_STRING;
    sub->first_line = first != NULL ? first->line : 0;
    if (!read_name(s, sub, stash, &name))
        sampler_name_add_text(&name, "main::__ANON__"); /* it was undefined, or its glob deleted */
    add_place(s, &name, first);
    sub->name = sampler_intern(s->strings, name.bytes, name.length);
    sub->utf8 = name.utf8;
    return is_still(s, sub, &named);
}

static void keep_learned(sampler_subs *s, const sampler_sub *sub)
{
    learned *new = g_new(learned, 1);
    *new = (learned){sub->code.root, *sub, 0};
    g_hash_table_replace(s->learned, &new->root, new);
}

/* Adds the name and the place of a sub. What was learned a hundred times ago, or with another name, is
 * learned again, if the sub lives for long enough. */
static bool complete(sampler_subs *s, sampler_sub *sub, uint64_t stash)
{
    learned *known = g_hash_table_lookup(s->learned, &sub->code.root);
    bool fits =
        known != NULL && sampler_codeid_is(known->sub.code, sub->code) &&
        (!sampler_subs_is_short_lived(s, sub) || known->sub.first == 0 ||
         sampler_subs_begins_with(&known->sub, sampler_statements_read(s->statements, known->sub.first)));
    if ((!fits || known->sub.name_address != sub->name_address || known->uses >= MOST_USES) &&
        learn(s, sub, stash)) {
        keep_learned(s, sub);
        return true;
    }
    if (!fits)
        return false;
    known->uses++;
    sub->name = known->sub.name;
    sub->utf8 = known->sub.utf8;
    sub->first = known->sub.first;
    sub->file = known->sub.file;
    sub->first_line = known->sub.first_line;
    return true;
}

sampler_sub *sampler_subs_known(const sampler_subs *s, uint64_t address)
{
    return g_hash_table_lookup(s->by_address, &address);
}

const sampler_sub *sampler_subs_of_code(const sampler_subs *s, uint64_t root)
{
    const learned *known = g_hash_table_lookup(s->learned, &root);
    return known != NULL ? &known->sub : NULL;
}

bool sampler_subs_begins_with(const sampler_sub *sub, const sampler_statement *first)
{
    return first != NULL && first->file == sub->file && first->line == sub->first_line;
}

bool sampler_subs_is_short_lived(const sampler_subs *s, const sampler_sub *known)
{
    return (known->flags & (s->i->layout.cv_flag_anon | s->i->layout.cv_flag_cloned)) != 0;
}

bool sampler_subs_needs_head(const sampler_subs *s, const sampler_sub *known)
{
    return (known->flags & s->i->layout.cv_flag_cloned) != 0;
}

/* Returns the address of the body of the sub with this head, or 0 if that is not a sub's. */
static uint64_t body_of(const sampler_layout *l, const unsigned char *head)
{
    sampler_sv sv = sampler_sv_parse(l, head);
    return sampler_sv_is(l, &sv, l->sv_type_cv) ? sv.body : 0;
}

static const sampler_sub *keep(sampler_subs *s, sampler_sub *known, const sampler_sub *found)
{
    if (known == NULL) {
        known = g_new(sampler_sub, 1);
        known->address = found->address;
        g_hash_table_insert(s->by_address, &known->address, known);
    }
    *known = *found;
    return known;
}

const sampler_sub *sampler_subs_at(sampler_subs *s, uint64_t address, const unsigned char *head,
                                   const unsigned char *body)
{
    const sampler_layout *l = &s->i->layout;
    unsigned char body_now[SAMPLER_XPVCV_ROOM];
    sampler_sv cv;
    sampler_sub *known = sampler_subs_known(s, address), found = {.address = address};
    if (known != NULL && body != NULL) {
        found.body = head != NULL ? body_of(l, head) : known->body;
        parse(l, body, &found);
        if (found.body == known->body && is_same(known, &found))
            return known;
    }
    if (head == NULL || body == NULL || known == NULL || found.body != known->body) {
        if (!sampler_sv_read_as(s->i, address, l->sv_type_cv, &cv) ||
            !sampler_memory_read(&s->i->memory, cv.body, body_now, l->xpvcv_size))
            return NULL;
        found.body = cv.body;
        body = body_now;
        parse(l, body, &found);
    }
    if ((found.flags & l->cv_flag_isxsub) != 0 || !complete(s, &found, sampler_u64(body + l->xpvcv_stash)))
        return NULL;
    return keep(s, known, &found);
}

size_t sampler_subs_count(const sampler_subs *s)
{
    return (size_t)g_hash_table_size(s->by_address) + g_hash_table_size(s->learned);
}

void sampler_subs_forget(sampler_subs *s, uint64_t address)
{
    g_hash_table_remove(s->by_address, &address);
}

void sampler_subs_forget_code(sampler_subs *s, uint64_t root)
{
    g_hash_table_remove(s->learned, &root);
}
