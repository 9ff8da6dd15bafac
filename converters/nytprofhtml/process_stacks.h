/* The stacks of each process, in blocks of their own: the page reads that of the process that is chosen. */
#pragma once

#include "pack.h"
#include "report.h"

#include <stdio.h>

/* Writes as many processes as fit into that many bytes, those with most time first. */
void html_process_stacks_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out);
