/* What nytp-cover shows of the code that has run. */
#pragma once

#include "cover/cover.h"
#include "export/table.h"

#include <stdio.h>

/* "81": the part that was seen, in percent, rounded down, so that 100 means all. "-" if there is nothing to
 * see. */
typedef struct cover_percent {
    char text[8];
} cover_percent;
cover_percent cover_percent_of(nytp_cover_count count);

/* The sums of the files; of string evals only with_evals. */
nytp_cover_counts cover_totals_of(const GPtrArray *files, bool with_evals);

/* A row for each file, and their sum. String evals have a table of their own, unless they are in the sum. */
void cover_show_table(FILE *out, const GPtrArray *files, bool with_evals, const nytp_look *look);

/* A line for each file of which a part has not run: "lib/Foo.pm  81 %  12-15, 40, 77->F". */
void cover_show_missing(FILE *out, const GPtrArray *files, bool with_evals);

/* A line for each line and branch of the source that has not run: "lib/Foo.pm:77->F: return if $done;". */
void cover_show_lines(FILE *out, const GPtrArray *files, bool with_evals);

/* For other programs: a tracefile of lcov, and XML as Cobertura writes it, which have no string evals, and
 * JSON, which has. */
void cover_write_lcov(FILE *out, const GPtrArray *files);
void cover_write_cobertura(FILE *out, const GPtrArray *files);
void cover_write_json(FILE *out, const GPtrArray *files);
