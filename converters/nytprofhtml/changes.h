/* Writes what changed since OLD: the member "difference" of DATA.md. */
#ifndef HTML_CHANGES_H
#define HTML_CHANGES_H

#include "difference.h"
#include "json.h"

void html_changes_write(const html_difference *difference, html_json *json);

#endif
