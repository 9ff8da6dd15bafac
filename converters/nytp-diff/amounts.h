/* Numbers as people read them. */
#ifndef DIFF_AMOUNTS_H
#define DIFF_AMOUNTS_H

#include "export/amount.h"
#include "rows.h"

/* "1.23 s", "842 ms", "12.3 us"; with calls, "1,272"; of samples, "12.3 %". */
nytp_amount diff_amount_of(const diff_rows *rows, double value);

/* The same with its sign. */
nytp_amount diff_amount_signed(const diff_rows *rows, double value);

/* The spread as a share of the median: "+-2%"; empty if it is 0. */
nytp_amount diff_amount_spread(const nytp_change *change, enum nytp_side side);

/* "-12.3 %", "~" if chance can explain it, "new", "gone", "same". */
nytp_amount diff_amount_percent(const diff_row *row);

/* "1,200 -> 800", or empty if they are the same. */
nytp_amount diff_amount_calls(const diff_row *row);

#endif
