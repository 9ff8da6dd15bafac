/* Writes what changed since OLD: the member "difference" of DATA.md. */
#pragma once

#include "difference.h"
#include "json.h"

void html_changes_write(const html_difference *difference, html_json *json);
