#include "amounts.h"

#include "export/amount.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

nytp_amount diff_amount_of(const diff_rows *rows, double value)
{
    nytp_amount a;
    if (rows->options->measure == NYTP_MEASURE_COUNT)
        return nytp_amount_count(value);
    if (!rows->by_share)
        return nytp_amount_time(value);
    snprintf(a.text, sizeof a.text, "%.2f %%", 100 * value);
    return a;
}

nytp_amount diff_amount_signed(const diff_rows *rows, double value)
{
    const nytp_amount plain = diff_amount_of(rows, value);
    nytp_amount a;
    snprintf(a.text, sizeof a.text, "%s%.40s", value > 0 ? "+" : "", plain.text);
    return a;
}

nytp_amount diff_amount_spread(const nytp_change *change, enum nytp_side side)
{
    nytp_amount a = {""};
    if (change->spread[side] > 0 && change->median[side] != 0)
        snprintf(a.text, sizeof a.text, "±%.0f%%",
                 fmin(100 * change->spread[side] / fabs(change->median[side]), 999));
    return a;
}

nytp_amount diff_amount_percent(const diff_row *row)
{
    nytp_amount a;
    const bool *is_in = row->value.is_in;
    const char *word = !is_in[NYTP_OLD]                            ? "new"
                       : !is_in[NYTP_NEW]                          ? "gone"
                       : row->value.verdict == NYTP_VERDICT_CHANCE ? "~"
                       : row->value.difference == 0                ? "same"
                       : isinf(row->percent)                       ? "from 0"
                                                                   : NULL;
    if (word != NULL)
        snprintf(a.text, sizeof a.text, "%s", word);
    else
        snprintf(a.text, sizeof a.text, "%+.1f %%", fmin(row->percent, 99999));
    return a;
}

nytp_amount diff_amount_calls(const diff_row *row)
{
    nytp_amount a = {""};
    if (row->calls.difference == 0)
        return a;
    const nytp_amount old = nytp_amount_count(row->calls.median[NYTP_OLD]);
    const nytp_amount new = nytp_amount_count(row->calls.median[NYTP_NEW]);
    snprintf(a.text, sizeof a.text, "%.20s -> %.20s", old.text, new.text);
    return a;
}
