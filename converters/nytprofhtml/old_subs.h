/* Which sub of the report each sub of OLD is. */
#pragma once

#include "line_changes.h"

/* A sub that the report has only because of OLD. Its lines are those of OLD. */
typedef struct html_gone_sub {
    uint32_t sub; /* number in the report */
    uint32_t first_line, last_line;
} html_gone_sub;

typedef struct html_old_subs {
    uint32_t *numbers; /* in the report, by number in OLD's; 0 if OLD has no calls of it */
    GArray *gone;      /* html_gone_sub */
} html_old_subs;

/* numbers: those in the report, by row of the comparison. */
html_old_subs *html_old_subs_new(const html_line_sources *sources, const html_report *old,
                                 const int64_t *numbers);
void html_old_subs_free(html_old_subs *subs);
