/* The calls of single requests. */
#pragma once

#include "pack.h"
#include "report.h"

/* Writes the blocks "request-0", ..., the slowest first, as long as they take at most so many bytes. */
void html_request_trees_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out);
