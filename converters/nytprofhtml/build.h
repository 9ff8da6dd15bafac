/* From a profile to a report. */
#pragma once

#include "options.h"
#include "report.h"

typedef struct html_building html_building;

html_building *html_building_new(const html_options *options);
void html_building_free(html_building *building);

/* What an nytp_read_handler for an input consists of. The profiles of all inputs are added up. */
uint32_t html_building_tags(const html_building *building);
int html_building_read(void *building, nytp_reader *reader);
bool html_building_end_profile(void *building);

/* Returns the report of the profiles; there must be at least one. Frees building. */
html_report *html_building_finish(html_building *building, const html_options *options);
