/* The core block of a report: everything but source (DATA.md). */
#ifndef HTML_CORE_H
#define HTML_CORE_H

#include "options.h"
#include "report.h"

/* Returns how many bytes the block is, as html_pack_bytes() does. */
size_t html_core_write(const html_report *report, const html_options *options, FILE *out);

#endif
