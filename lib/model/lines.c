#include "model/lines.h"

#include "base/order.h"
#include "base/ticks.h"
#include "model/group.h"

static inline nytp_line_sum *sum_at(const nytp_lines *lines, uint32_t number)
{
    return nytp_records_at(&lines->sums, number);
}

/* Returns the place that a free slot has, which belongs in another slot, so that no statement is equal to it:
 * line 0 of fid 0 belongs in slot 0, and line 1 in slot 1. */
static uint64_t no_place(size_t slot)
{
    return nytp_statement_place((nytp_statement){.line = slot == 0});
}

static nytp_line_slot free_slot(size_t slot)
{
    return (nytp_line_slot){.place = no_place(slot)};
}

nytp_lines *nytp_lines_new(nytp_new_line_fn *on_new, void *context)
{
    nytp_lines *lines = g_new0(nytp_lines, 1);
    lines->slots = g_new(nytp_line_slot, NYTP_LINE_SLOTS);
    for (size_t i = 0; i < NYTP_LINE_SLOTS; i++)
        lines->slots[i] = free_slot(i);
    nytp_records_init(&lines->sums, sizeof(nytp_line_sum), offsetof(nytp_line_sum, count));
    lines->on_new = on_new;
    lines->context = context;
    return lines;
}

void nytp_lines_keep_levels(nytp_lines *lines)
{
    if (lines->levels != NULL)
        return;
    lines->levels = g_new0(nytp_records, 1);
    nytp_records_init(lines->levels, sizeof(nytp_level), offsetof(nytp_level, count));
    lines->level_slots = g_new(nytp_level_slot, NYTP_LINE_SLOTS);
    for (size_t i = 0; i < NYTP_LINE_SLOTS; i++)
        lines->level_slots[i] = (nytp_level_slot){.line = free_slot(i)};
}

void nytp_lines_free(nytp_lines *lines)
{
    if (lines->levels != NULL)
        nytp_records_clear(lines->levels);
    g_free(lines->levels);
    g_free(lines->level_slots);
    nytp_records_clear(&lines->sums);
    g_free(lines->order);
    g_free(lines->slots);
    g_free(lines);
}

/* Moves what a slot has to its record. Returns whether it had something. */
static bool flush_slot(const nytp_lines *lines, nytp_line_slot *slot)
{
    const nytp_line_slot had = *slot;
    nytp_line_sum *sum = sum_at(lines, had.number - 1);
    if (had.count == 0 && had.ticks == 0)
        return false;
    slot->count = 0;
    slot->ticks = 0;
    sum->count += had.count;
    sum->ticks = nytp_add_ticks(sum->ticks, had.ticks);
    if (lines->on_sum != NULL)
        lines->on_sum(lines->sum_context, &(nytp_line_sum){sum->fid, sum->line, had.count, had.ticks});
    return true;
}

static bool flush_level_slot(const nytp_lines *lines, nytp_level_slot *slot)
{
    nytp_level *level = nytp_records_at(lines->levels, slot->number);
    level->count += slot->line.count;
    level->ticks = nytp_add_ticks(level->ticks, slot->line.ticks);
    return flush_slot(lines, &slot->line);
}

/* Flushes the slots of a kind. A slot that had something keeps its line, which will come
 * again; others become free. */
static void flush_used(const nytp_lines *lines, nytp_used_slots *used, bool is_of_levels)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < used->count; n++) {
        const uint16_t i = used->numbers[n];
        nytp_level_slot *level = is_of_levels ? &lines->level_slots[i] : NULL;
        nytp_line_slot *slot = level != NULL ? &level->line : &lines->slots[i];
        if (level != NULL ? flush_level_slot(lines, level) : flush_slot(lines, slot))
            used->numbers[kept++] = i;
        else
            *slot = free_slot(i);
    }
    used->count = kept;
}

void nytp_lines_flush(nytp_lines *lines)
{
    flush_used(lines, &lines->used, false);
    flush_used(lines, &lines->used_levels, true);
}

nytp_records *nytp_lines_levels(nytp_lines *lines)
{
    nytp_lines_flush(lines);
    return lines->levels;
}

/* Returns a slot for a line, of which it makes a record if there is none. */
static nytp_line_slot new_slot(nytp_lines *lines, uint32_t fid, uint32_t line)
{
    bool added;
    uint32_t number = nytp_records_number(&lines->sums, &(nytp_line_sum){.fid = fid, .line = line}, &added);
    if (added)
        lines->on_new(lines->context, fid);
    return (nytp_line_slot){.place = nytp_statement_place((nytp_statement){.fid = fid, .line = line}),
                            .number = number + 1};
}

__attribute__((noinline)) void nytp_lines_replace(nytp_lines *lines, nytp_line_slot *slot, uint32_t fid,
                                                  uint32_t line)
{
    if (slot->number != 0)
        flush_slot(lines, slot);
    else
        lines->used.numbers[lines->used.count++] = (uint16_t)(slot - lines->slots);
    *slot = new_slot(lines, fid, line);
}

__attribute__((noinline)) void nytp_lines_replace_level(nytp_lines *lines, nytp_level_slot *slot,
                                                        nytp_statement s)
{
    const nytp_level level = {s.fid, s.line, s.block_line, s.sub_line, 0, 0};
    if (slot->line.number != 0)
        flush_level_slot(lines, slot);
    else
        lines->used_levels.numbers[lines->used_levels.count++] = (uint16_t)(slot - lines->level_slots);
    *slot = (nytp_level_slot){new_slot(lines, s.fid, s.line), nytp_line_blocks(s),
                              nytp_records_number(lines->levels, &level, NULL)};
}

static void join_lines(void *into, const void *record)
{
    nytp_line_sum *sum = into;
    const nytp_line_sum *more = record;
    sum->count += more->count;
    sum->ticks = nytp_add_ticks(sum->ticks, more->ticks);
}

void nytp_lines_add_sum(nytp_lines *lines, uint32_t fid, const nytp_line *sum)
{
    const nytp_line_sum more = {fid, sum->line, sum->count, sum->ticks};
    if (nytp_records_add(&lines->sums, &more, join_lines))
        lines->on_new(lines->context, fid);
}

static void join_levels(void *into, const void *record)
{
    nytp_level *sum = into;
    const nytp_level *more = record;
    sum->count += more->count;
    sum->ticks = nytp_add_ticks(sum->ticks, more->ticks);
}

void nytp_lines_add_level_sum(nytp_lines *lines, const nytp_level *level)
{
    if (lines->levels != NULL)
        nytp_records_add(lines->levels, level, join_levels);
}

void nytp_lines_change(nytp_lines *lines, nytp_record_change_fn *change, nytp_record_change_fn *change_level,
                       void *context)
{
    nytp_lines_flush(lines);
    nytp_lines_flush(lines); /* now none has something, so all are free, since records get other numbers */
    nytp_records_change(&lines->sums, change, context, join_lines);
    lines->ordered = 0;
    if (lines->levels != NULL)
        nytp_records_change(lines->levels, change_level, context, join_levels);
}

static int compare_places(const nytp_line_sum *a, uint32_t fid, uint64_t line)
{
    return nytp_order2(NYTP_ORDER(a->fid, fid), NYTP_ORDER(a->line, line));
}

static gint compare_lines(gconstpointer a, gconstpointer b, gpointer lines)
{
    const nytp_line_sum *y = sum_at(lines, *(const uint32_t *)b);
    return compare_places(sum_at(lines, *(const uint32_t *)a), y->fid, y->line);
}

static void put_in_order(nytp_lines *lines)
{
    g_free(lines->order);
    lines->order = nytp_group_order(lines->sums.count, compare_lines, lines);
    lines->ordered = lines->sums.count;
}

bool nytp_lines_next_seen(nytp_lines *lines, uint32_t fid, uint64_t *from, nytp_line *line)
{
    nytp_lines_flush(lines);
    if (lines->ordered != lines->sums.count)
        put_in_order(lines);
    uint32_t i;
    NYTP_SEARCH(i, lines->ordered, compare_places(sum_at(lines, lines->order[i]), fid, *from) < 0);
    const nytp_line_sum *sum = i < lines->ordered ? sum_at(lines, lines->order[i]) : NULL;
    if (sum == NULL || sum->fid != fid)
        return false;
    *from = (uint64_t)sum->line + 1;
    *line = (nytp_line){.line = sum->line, .count = sum->count, .ticks = sum->ticks};
    return true;
}

bool nytp_lines_next(nytp_lines *lines, uint32_t fid, uint64_t *from, nytp_line *line)
{
    bool found;
    do {
        found = nytp_lines_next_seen(lines, fid, from, line);
    } while (found && line->count == 0 && line->ticks == 0);
    return found;
}

void nytp_lines_total(nytp_lines *lines, nytp_totals *totals)
{
    nytp_lines_flush(lines);
    for (uint32_t i = 0; i < lines->sums.count; i++) {
        const nytp_line_sum *sum = sum_at(lines, i);
        totals->statements += sum->count;
        totals->statement_ticks = nytp_add_ticks(totals->statement_ticks, sum->ticks);
    }
}
