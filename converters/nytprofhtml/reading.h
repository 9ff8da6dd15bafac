/* Reads the profiles of a report, or of two sides to be compared. */
#pragma once

#include "options.h"
#include "report.h"

#include "diff/difference.h"

typedef struct html_building html_building;

html_building *html_building_new(const html_options *options);
void html_building_free(html_building *building);

/* What an nytp_read_handler for an input consists of. The profiles of all inputs are added up. */
uint32_t html_building_tags(const html_building *building);
int html_building_read(void *building, nytp_reader *reader);
bool html_building_end_profile(void *building);

/* Returns the report of the profiles; there must be at least one. Frees building. */
html_report *html_building_finish(html_building *building, const html_options *options);

/* Returns the report of all inputs, or NULL after saying why there is none. */
html_report *html_read_report(const html_options *options, const nytp_common_options *common);

/* Returns the report of one of NEW's runs, and sets *difference to what changed since OLD: that of the
 * report, which does not own it. Of each side, the run is shown whose time is nearest to the median. NULL: as
 * above. */
html_report *html_read_difference(html_options *options, const nytp_operands sides[NYTP_SIDES],
                                  const nytp_common_options *common, html_difference **difference);

/* Returns the index of the run that stands for all of them: the one whose time is nearest to the median; the
 * first of those. It is 0 if there are fewer than three, or if one cannot be read twice, such as a pipe.
 * Prints nothing: runs that cannot be read are skipped; if none can be read, the first is chosen. */
int html_median_run(const nytp_operands *runs, const nytp_common_options *common);
