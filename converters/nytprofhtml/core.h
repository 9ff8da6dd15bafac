/* The core block of a report: everything but source (DATA.md). */
#pragma once

#include "options.h"
#include "report.h"

/* Adds the block to pack. */
void html_core_add(const html_report *report, const html_options *options, html_pack *pack);
