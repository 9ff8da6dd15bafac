/* Statements summed up by line.
 *
 * A profile has tens of millions of statements, most of them from some hundred lines. So they are summed in a
 * direct-mapped cache first: each line can be in one slot only. The sums move to the records when another
 * line needs the slot, and before they are read.
 *
 * If levels are kept (statements by line, block and sub, for profiles recorded with blocks=1), they have such
 * a cache, too. Each of its slots sums for a level and its line at once.
 */
#pragma once

#include "format/statement.h"
#include "model/records.h"
#include "nytprof-model.h"

#include <glib.h>

typedef struct nytp_line_sum {
    uint32_t fid, line;
    uint64_t count; /* executions */
    int64_t ticks;
} nytp_line_sum;

enum { NYTP_LINE_SLOTS = 8192 };

typedef struct nytp_line_slot {
    uint64_t place; /* fid and line; in a free slot, no_place() */
    uint64_t count; /* executions; count and ticks are those since the line got the slot */
    int64_t ticks;
    uint32_t number; /* of its record, + 1; 0: the slot is free */
} nytp_line_slot;

typedef struct nytp_level_slot {
    nytp_line_slot line; /* what the level adds to its line */
    uint64_t blocks;     /* block_line and sub_line */
    uint32_t number;     /* of the level's record */
} nytp_level_slot;

/* The slots of a kind that are not free. */
typedef struct nytp_used_slots {
    uint16_t numbers[NYTP_LINE_SLOTS];
    uint32_t count;
} nytp_used_slots;

/* Called for the first statement of each line. */
typedef void nytp_new_line_fn(void *context, uint32_t fid);

/* Called when statements of a line that were summed in a slot move to its record. */
typedef void nytp_line_sum_fn(void *context, const nytp_line_sum *sum);

typedef struct nytp_lines {
    nytp_line_slot *slots;        /* NYTP_LINE_SLOTS */
    nytp_level_slot *level_slots; /* the same number; NULL: levels are not kept */
    nytp_used_slots used, used_levels;
    nytp_records *levels; /* nytp_level, by place; NULL: they are not kept */
    nytp_records sums;    /* nytp_line_sum */
    uint32_t *order;      /* numbers of sums, sorted by fid and line */
    uint32_t ordered;     /* how many there were when they were sorted; if there are more, sort again */
    nytp_new_line_fn *on_new;
    void *context;
    nytp_line_sum_fn *on_sum; /* NULL if nobody asks */
    void *sum_context;
} nytp_lines;

nytp_lines *nytp_lines_new(nytp_new_line_fn *on_new, void *context);
void nytp_lines_free(nytp_lines *lines); /* not NULL */

/* To be called before the first statement. */
void nytp_lines_keep_levels(nytp_lines *lines);

/* Moves the sums of all slots to the records. */
void nytp_lines_flush(nytp_lines *lines);

/* Returns the records of levels, with the sums of all slots, or NULL if they are not kept. */
nytp_records *nytp_lines_levels(nytp_lines *lines);

/* Give the slot to the line of a statement. This is rare, and kept out of the loop that adds statements. A
 * whole statement as an argument is in memory, so that the loop would not keep it in registers. */
void nytp_lines_replace(nytp_lines *lines, nytp_line_slot *slot, uint32_t fid, uint32_t line);
void nytp_lines_replace_level(nytp_lines *lines, nytp_level_slot *slot, nytp_statement s);

static inline size_t nytp_line_slot_of(nytp_statement s)
{
    const uint32_t apart = 389; /* gives equal lines of different files different slots */
    return (s.fid * apart + s.line) % NYTP_LINE_SLOTS;
}

/* Adds a statement. slots is lines->slots, passed so that a loop loads it once: the compiler cannot prove
 * that adding a statement does not change it. */
static inline void nytp_lines_add(nytp_lines *lines, nytp_line_slot *slots, nytp_statement s)
{
    nytp_line_slot *slot = &slots[nytp_line_slot_of(s)];
    if (__builtin_expect(slot->place != nytp_statement_place(s), 0))
        nytp_lines_replace(lines, slot, s.fid, s.line);
    slot->ticks += s.ticks;
    slot->count += s.executions;
}

static inline uint64_t nytp_line_blocks(nytp_statement s)
{
    return (uint64_t)s.block_line << 32 | s.sub_line;
}

/* nytp_lines_add() for a statement with a block, if levels are kept; slots are lines->level_slots. */
static inline void nytp_lines_add_level(nytp_lines *lines, nytp_level_slot *slots, nytp_statement s)
{
    nytp_level_slot *slot = &slots[nytp_line_slot_of(s)];
    if (__builtin_expect(slot->line.place != nytp_statement_place(s) || slot->blocks != nytp_line_blocks(s),
                         0))
        nytp_lines_replace_level(lines, slot, s);
    slot->line.ticks += s.ticks;
    slot->line.count += s.executions;
}

/* Adds the sums of a line of that fid; those of a level, if levels are kept. */
void nytp_lines_add_sum(nytp_lines *lines, uint32_t fid, const nytp_line *sum);
void nytp_lines_add_level_sum(nytp_lines *lines, const nytp_level *level);

/* As nytp_profile_next_line(). The second one returns also lines whose statements took no time and were not
 * counted, because they continue others. */
bool nytp_lines_next(nytp_lines *lines, uint32_t fid, uint64_t *from, nytp_line *line);
bool nytp_lines_next_seen(nytp_lines *lines, uint32_t fid, uint64_t *from, nytp_line *line);

/* Adds the sums of all lines to *totals. */
void nytp_lines_total(nytp_lines *lines, nytp_totals *totals);

/* Like nytp_records_change(); change may set fid and line of an nytp_line_sum, and change_level the fid of an
 * nytp_level. */
void nytp_lines_change(nytp_lines *lines, nytp_record_change_fn *change, nytp_record_change_fn *change_level,
                       void *context);
