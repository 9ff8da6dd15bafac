/* Which string evals stock's reader merges: those of one line of one file that seem to have the same text. An
 * eval that executed evals itself is merged only if its line has very many texts.
 */
#pragma once

#include "../source.h"

typedef struct csv_stock_evals csv_stock_evals;

/* The profile, whose evals are not merged, and the source must live as long. */
csv_stock_evals *csv_stock_evals_new(const nytp_profile *profile, csv_source *source, bool merge);
void csv_stock_evals_free(csv_stock_evals *evals);

/* Whether stock takes the file for an eval: not if its parent comes later, or never. */
bool csv_stock_evals_is_eval(const csv_stock_evals *evals, const nytp_file *f);

/* Returns the file that this one was merged into, or f itself. */
const nytp_file *csv_stock_evals_merged_file(const csv_stock_evals *evals, const nytp_file *f);

/* Returns the files that were merged into this one, const nytp_file *, or NULL if there are none. */
const GArray *csv_stock_evals_merged(const csv_stock_evals *evals, const nytp_file *f);

/* Returns the evals that this file executed, const nytp_file *, merged ones among them, or NULL if there are
 * none. */
const GArray *csv_stock_evals_within(const csv_stock_evals *evals, const nytp_file *f);
