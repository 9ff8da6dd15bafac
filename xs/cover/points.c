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
