#include "calls/turns.h"

#include <stddef.h>

nytp_turns nytp_turns_new(void)
{
    nytp_turns turns = {0};
    nytp_records_init(&turns.all, sizeof(nytp_turn), offsetof(nytp_turn, to) + sizeof(uint32_t));
    return turns;
}

void nytp_turns_clear(nytp_turns *turns)
{
    nytp_records_clear(&turns->all);
}

void nytp_turns_reset(nytp_turns *turns)
{
    turns->is_due = turns->goes_on = false;
    turns->at = turns->to = (nytp_place){0, 0};
}

/* Most turns are those of the same loop as the one before. */
static void count(nytp_turns *turns, const nytp_turn *turn)
{
    const nytp_turn *last = turns->last < turns->all.count ? nytp_records_at(&turns->all, turns->last) : NULL;
    if (last == NULL || last->fid != turn->fid || last->from != turn->from || last->to != turn->to)
        turns->last = nytp_records_number(&turns->all, turn, NULL);
    ((nytp_turn *)nytp_records_at(&turns->all, turns->last))->count++;
}

void nytp_turns_end_block(nytp_turns *turns, const nytp_statement *statement)
{
    const nytp_turn turn = {turns->from.fid, turns->from.line, statement->line, 0};
    turns->is_due = false;
    turns->to = (nytp_place){statement->fid, statement->line};
    if (statement->fid == turn.fid && turn.to <= turn.from)
        count(turns, &turn);
}

static bool is_in(nytp_place place, const nytp_range *lines)
{
    return place.fid == lines->fid && place.line >= lines->first_line && place.line <= lines->last_line;
}

/* The condition of a loop may call perl code before the body begins: `while ($next->())`. */
void nytp_turns_return(nytp_turns *turns, const nytp_range *lines)
{
    turns->is_due = false;
    turns->goes_on |= turns->to.fid != 0 && is_in(turns->to, lines) && !is_in(turns->from, lines);
    if (turns->goes_on)
        turns->to.fid = 0;
}
