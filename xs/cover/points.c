#include "cover/collect.h"

#include "base/hash.h"
#include "base/str.h"
#include "basics/alloc.h"

#include <stdlib.h>

typedef struct unit {
    uint64_t hash;
    prof_cover_text text;
    uint32_t first, count; /* of its points */
    uint32_t round;        /* of its text, in which it was compiled last */
    uint32_t written_to;   /* the number of the file that has it */
    uint32_t line, twin;
    enum nytp_cover_kind kind;
    uint32_t list_bytes, name_bytes;
    char *bytes; /* the list of its points, then its name */
    bool utf8;
} unit;

static struct {
    unit *of;
    uint32_t count, cap;
    nytp_slots slots;
} units;

static struct {
    uint32_t *unit;
    uint8_t *seen;
    uint32_t count, unit_cap, seen_cap;
} points;

static uint64_t hash_of(const void *entries, uint32_t number)
{
    return ((const unit *)entries)[number].hash;
}

static bool is_equal(const unit *k, const unit *u)
{
    return u->hash == k->hash && u->text == k->text && u->kind == k->kind && u->line == k->line &&
           u->count == k->count && u->list_bytes == k->list_bytes && u->name_bytes == k->name_bytes &&
           memcmp(u->bytes, k->bytes, (size_t)u->list_bytes + u->name_bytes) == 0;
}

/* The key and how many units of this round are equal to it. */
typedef struct search {
    const unit *key;
    uint32_t *twins;
} search;

/* A unit of an earlier round: of one round, each piece of code is a unit. A line may have two equal subs. */
static bool is_again(const void *key, uint32_t number)
{
    const search *s = key;
    if (!is_equal(s->key, &units.of[number]))
        return false;
    const bool is_twin = units.of[number].round == prof_text_round(units.of[number].text);
    *s->twins += is_twin;
    return !is_twin;
}

static void write_unit(uint32_t number, uint32_t file_number)
{
    unit *u = &units.of[number];
    if (u->written_to == file_number)
        return;
    u->written_to = file_number;
    prof_text_write(u->text, file_number);
    prof_coverfile_chunk(
        &(nytp_chunk){.tag = NYTP_COVER_UNIT,
                      .cover_unit = {.unit = number,
                                     .fid = u->text,
                                     .line = u->line,
                                     .kind = u->kind,
                                     .twin = u->twin,
                                     .name = {u->bytes + u->list_bytes, u->name_bytes, u->utf8},
                                     .points = u->count,
                                     .list = {u->bytes, u->list_bytes, false}}});
}

static void add_points(uint32_t number, uint32_t count)
{
    points.unit = prof_grow(points.unit, &points.unit_cap, points.count + count, sizeof *points.unit);
    points.seen = prof_grow(points.seen, &points.seen_cap, points.count + count, sizeof *points.seen);
    for (uint32_t i = 0; i < count; i++) {
        points.unit[points.count] = number;
        points.seen[points.count++] = 0;
    }
}

/* Fills what a unit is known by, apart from its text and round; the caller frees its bytes. */
static unit describe(const prof_cover_site *sites, uint32_t count, const prof_cover_name *name)
{
    unit u = {.text = sites[0].text,
              .count = count,
              .line = sites[0].point.line,
              .kind = name->kind,
              .name_bytes = (uint32_t)name->sub.length,
              .utf8 = name->sub.utf8};
    u.bytes = prof_alloc((size_t)count * NYTP_COVER_POINT_MAX + name->sub.length);
    unsigned char *end = (unsigned char *)u.bytes;
    for (uint32_t i = 0; i < count; i++)
        end = nytp_cover_point_put(end, &sites[i].point, i > 0 ? sites[i - 1].point.line : u.line);
    u.list_bytes = (uint32_t)(end - (unsigned char *)u.bytes);
    if (name->sub.length > 0)
        memcpy(end, name->sub.bytes, name->sub.length);
    u.hash = nytp_hash_bytes(u.bytes, (size_t)u.list_bytes + u.name_bytes);
    u.hash = nytp_hash_mix(u.hash, u.text, (uint64_t)u.line << 8 | u.kind);
    return u;
}

uint32_t prof_unit_add(const prof_cover_site *sites, uint32_t count, const prof_cover_name *name)
{
    unit u = describe(sites, count, name);
    if (units.of == NULL)
        units.of = prof_grow_entries(units.of, 0, &units.cap, sizeof *units.of, &units.slots, hash_of);
    const search s = {&u, &u.twin};
    uint32_t *slot = nytp_slots_find(&units.slots, u.hash, is_again, &s);
    uint32_t number = *slot - 1;
    const bool is_new = *slot == 0;
    if (!is_new) {
        free(u.bytes);
    } else {
        number = units.count;
        *slot = ++units.count;
        u.first = points.count;
        u.bytes = prof_realloc(u.bytes, (size_t)u.list_bytes + u.name_bytes + 1);
        units.of[number] = u;
        add_points(number, count);
        if (units.count == units.cap)
            units.of =
                prof_grow_entries(units.of, units.count, &units.cap, sizeof *units.of, &units.slots, hash_of);
    }
    units.of[number].round = prof_text_round(units.of[number].text);
    const uint32_t file_number = is_new ? prof_coverfile_number(true) : 0;
    if (file_number != 0)
        write_unit(number, file_number);
    return units.of[number].first;
}

uint32_t prof_point_seen(uint32_t point)
{
    return points.seen[point];
}

void prof_point_see(uint32_t point, enum nytp_cover_outcome outcome)
{
    if ((points.seen[point] & (uint8_t)outcome) != 0)
        return;
    points.seen[point] |= (uint8_t)outcome;
    const uint32_t number = points.unit[point], file_number = prof_coverfile_number(true);
    if (file_number == 0)
        return;
    write_unit(number, file_number);
    prof_coverfile_chunk(
        &(nytp_chunk){.tag = NYTP_COVER_HIT, .cover_hit = {number, point - units.of[number].first, outcome}});
}

/* ---- the op handlers that watch: each looks for what was not seen yet, and gives its place back to the
 * handler that was there before as soon as nothing is left ---- */

/* Ops that are watched, by address: open addressing, linear probing. An op that was freed keeps its row until
 * another one at the same address is watched. */
typedef struct row {
    OP *op; /* NULL: free */
    Perl_ppaddr_t original;
    uint32_t point;
    bool is_done; /* nothing is left to see, but another handler took the place of ours and may call it */
} row;

static struct {
    row *rows;
    size_t mask;
    size_t count;
} watched;

static size_t home_of(const OP *op)
{
    return (size_t)(((uint64_t)(uintptr_t)op * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & watched.mask;
}

/* Returns the row of the op, or the free one where it belongs. */
static row *find(const OP *op)
{
    size_t i = home_of(op);
    while (watched.rows[i].op != NULL && watched.rows[i].op != op)
        i = (i + 1) & watched.mask;
    return &watched.rows[i];
}

static void grow(void)
{
    enum { FIRST_ROWS = 1024 };
    row *const before = watched.rows;
    const size_t rows = before != NULL ? watched.mask + 1 : 0, more = rows > 0 ? rows * 2 : FIRST_ROWS;
    watched.rows = prof_alloc(more * sizeof *watched.rows);
    watched.mask = more - 1;
    for (size_t i = 0; i < rows; i++)
        if (before[i].op != NULL)
            *find(before[i].op) = before[i];
    free(before);
}

/* Moves later rows back to the place of one that goes, if they could not have it before. */
static void remove_row(row *r)
{
    size_t hole = (size_t)(r - watched.rows);
    for (size_t i = (hole + 1) & watched.mask; watched.rows[i].op != NULL; i = (i + 1) & watched.mask) {
        const size_t home = home_of(watched.rows[i].op);
        if (((i - home) & watched.mask) >= ((i - hole) & watched.mask)) {
            watched.rows[hole] = watched.rows[i];
            hole = i;
        }
    }
    watched.rows[hole].op = NULL;
    watched.count--;
}

/* What an operator's handler calls that need not look for its row. Another handler that a module has put
 * there for one op alone is found by the row each time. */
static Perl_ppaddr_t usual[MAXO + 1];

static OP *see_statement(pTHX);
static OP *see_first(pTHX);
static OP *see_ran(pTHX);
static OP *see_skipped(pTHX);

static bool is_ours(Perl_ppaddr_t handler)
{
    return handler == see_statement || handler == see_first || handler == see_ran || handler == see_skipped;
}

/* Other threads may run the op meanwhile. */
static void set_handler(OP *op, Perl_ppaddr_t handler)
{
    __atomic_store_n(&op->op_ppaddr, handler, __ATOMIC_RELEASE);
}

static void stop(OP *op, row *r)
{
    r->is_done = !is_ours(op->op_ppaddr);
    if (r->is_done)
        return;
    set_handler(op, r->original);
    remove_row(r);
}

/* Returns the handler that the op had before. An op without a row was let go by another thread just now. */
static Perl_ppaddr_t original_of(const OP *op, const row *r)
{
    if (r->op != NULL)
        return r->original;
    return is_ours(op->op_ppaddr) ? PL_ppaddr[op->op_type] : op->op_ppaddr;
}

static OP *see_statement(pTHX)
{
    OP *const op = PL_op;
    const prof_cover_guard guard = prof_cover_lock();
    row *const r = find(op);
    const Perl_ppaddr_t original = original_of(op, r);
    if (r->op != NULL && !r->is_done) {
        prof_point_see(r->point, NYTP_COVER_RAN);
        stop(op, r);
    }
    prof_cover_unlock(&guard);
    return original(aTHX);
}

/* Notes an outcome, and watches the op for the other one alone. */
static void see(OP *op, enum nytp_cover_outcome outcome)
{
    const prof_cover_guard guard = prof_cover_lock();
    row *const r = find(op);
    if (r->op != NULL && !r->is_done) {
        prof_point_see(r->point, outcome);
        if (prof_point_seen(r->point) == (NYTP_COVER_RAN | NYTP_COVER_SKIPPED))
            stop(op, r);
        else if (r->original == usual[op->op_type] && is_ours(op->op_ppaddr))
            set_handler(op, outcome == NYTP_COVER_RAN ? see_skipped : see_ran);
    }
    prof_cover_unlock(&guard);
}

/* The left operand is looked at by perl's handler alone, so an overloaded bool runs as often as without us.
 */
static OP *see_first(pTHX)
{
    OP *const op = PL_op, *const other = cLOGOPx(op)->op_other;
    const prof_cover_guard guard = prof_cover_lock();
    const Perl_ppaddr_t original = original_of(op, find(op));
    prof_cover_unlock(&guard);
    OP *const next = original(aTHX);
    see(op, next == other ? NYTP_COVER_RAN : NYTP_COVER_SKIPPED);
    return next;
}

static OP *see_ran(pTHX)
{
    OP *const op = PL_op, *const other = cLOGOPx(op)->op_other, *const next = usual[op->op_type](aTHX);
    if (next == other)
        see(op, NYTP_COVER_RAN);
    return next;
}

static OP *see_skipped(pTHX)
{
    OP *const op = PL_op, *const other = cLOGOPx(op)->op_other, *const next = usual[op->op_type](aTHX);
    if (next != other)
        see(op, NYTP_COVER_SKIPPED);
    return next;
}

/* The handler for what is not seen of the point; NULL if nothing is left. */
static Perl_ppaddr_t handler_for(const OP *op, uint32_t seen, bool is_statement)
{
    const bool is_usual = usual[op->op_type] == op->op_ppaddr;
    if (is_statement)
        return seen == 0 ? see_statement : NULL;
    switch (seen) {
    case NYTP_COVER_RAN: return is_usual ? see_skipped : see_first;
    case NYTP_COVER_SKIPPED: return is_usual ? see_ran : see_first;
    case NYTP_COVER_RAN | NYTP_COVER_SKIPPED: return NULL;
    default: return see_first;
    }
}

void prof_watch(OP *op, uint32_t point, bool is_statement)
{
    if (watched.rows == NULL || watched.count > watched.mask / 2)
        grow();
    if (usual[op->op_type] == NULL)
        usual[op->op_type] = op->op_ppaddr;
    const Perl_ppaddr_t handler = handler_for(op, prof_point_seen(point), is_statement);
    row *const r = find(op);
    if (handler == NULL)
        return;
    watched.count += r->op == NULL;
    *r = (row){.op = op, .original = op->op_ppaddr, .point = point};
    set_handler(op, handler);
}
