/* The calls of single requests. */
#pragma once

#include "pack.h"
#include "report.h"

/* Writes blocks of the slowest requests, "request-7" for row 7, until the next one would exceed most_bytes.
 */
void html_request_trees_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out);
