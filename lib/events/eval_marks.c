#include "events/eval_marks.h"

#include "events/numbers.h"

#include <math.h>
#include <stdio.h>

/* Depths, fids and lines have 32 bits in the stream. */
static bool is_number(double number)
{
    return number < INT32_MAX && number == floor(number);
}

bool nytp_eval_mark_read(const nytp_chunk *chunk, nytp_eval_mark *mark)
{
    enum { DEPTH, FID, LINE, TICKS = FID, PART, NUMBERS };
    double number[NUMBERS];
    if (!nytp_numbers_read(chunk->attribute.value, number, NUMBERS) || !is_number(number[DEPTH]))
        return false;
    *mark = (nytp_eval_mark){.depth = (uint32_t)number[DEPTH],
                             .is_begin = nytp_str_is(chunk->attribute.key, "eval_begin")};
    if (mark->is_begin && (!is_number(number[FID]) || !is_number(number[LINE])))
        return false;
    mark->fid = mark->is_begin ? (uint32_t)number[FID] : 0;
    mark->line = mark->is_begin ? (uint32_t)number[LINE] : 0;
    mark->ticks = mark->is_begin ? 0 : number[TICKS];
    mark->is_part = !mark->is_begin && number[PART] != 0;
    return true;
}

void nytp_eval_mark_write(const nytp_eval_mark *mark, nytp_eval_text *text)
{
    static const nytp_str begin = {"eval_begin", 10, false}, end = {"eval_end", 8, false};
    if (mark->is_begin)
        snprintf(text->text, sizeof text->text, "%u %u %u", mark->depth, mark->fid, mark->line);
    else
        snprintf(text->text, sizeof text->text, "%u %.15g%s", mark->depth, mark->ticks,
                 mark->is_part ? " 1" : "");
    text->chunk =
        (nytp_chunk){.tag = NYTP_ATTRIBUTE,
                     .attribute = {mark->is_begin ? begin : end, {text->text, strlen(text->text), false}}};
}
