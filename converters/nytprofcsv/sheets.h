/* The numbers in the files of stock's nytprofcsv: what stock's reader has of each line of a file. */
#pragma once

#include "source.h"

enum csv_level { CSV_LINE, CSV_BLOCK, CSV_SUB, CSV_LEVELS };
extern const char *const csv_level_names[CSV_LEVELS];

typedef struct csv_row {
    int64_t ticks, eval_ticks; /* of its statements; of the evals done there, and of those within them */
    uint64_t count;
    bool ran, known; /* it has statements; it has anything */
} csv_row;

typedef struct csv_sheets csv_sheets;

/* The profile, whose evals are not merged, and the source must live as long. merge: as stock does. */
csv_sheets *csv_sheets_new(const nytp_profile *profile, csv_source *source, bool merge);
void csv_sheets_free(csv_sheets *sheets);

/* Whether stock has a file for this one and level: of evals lines only; blocks and subs where they were
 * recorded. */
bool csv_sheets_has(const csv_sheets *sheets, const nytp_file *f, enum csv_level level);

/* Whether this file is an eval for stock. */
bool csv_sheets_is_eval(const csv_sheets *sheets, const nytp_file *f);

/* Whether this file is the one with that fid, or has what was merged into it. */
bool csv_sheets_stands_for(const csv_sheets *sheets, const nytp_file *f, uint32_t fid);

/* Returns csv_row by line, from line 0 to the last that stock considers. The caller must g_array_free() it.
 */
GArray *csv_sheets_rows(const csv_sheets *sheets, const nytp_file *f, enum csv_level level);
