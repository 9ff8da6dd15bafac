/* The packages that subs are in. */
#pragma once

#include "report.h"

typedef struct html_packages {
    GPtrArray *names; /* char *: in the order of their first subs */
    uint32_t *of;     /* the package of each sub */
} html_packages;

html_packages *html_packages_new(const html_report *report);
void html_packages_free(html_packages *packages);

/* Returns the length of the package in the name of a sub; 0 if it has none. */
size_t html_package_length(const html_report *report, size_t sub);
