/* From a profile to a report. */
#ifndef HTML_BUILD_H
#define HTML_BUILD_H

#include "html_options.h"
#include "html_report.h"

typedef struct html_building html_building;

html_building *html_building_new(const html_options *options);
void html_building_free(html_building *building);

/* For each input: begin it, read it with a nytp_read_some_fn, and end it. Several are added up. */
uint32_t html_building_wanted(void);
void html_building_begin_input(html_building *building);
int html_building_read(void *building, nytp_reader *reader);
void html_building_end_input(html_building *building, bool is_only); /* is_only: there is no other */

/* Makes the report of the inputs. Frees building. */
html_report *html_building_finish(html_building *building, const html_options *options);

#endif
