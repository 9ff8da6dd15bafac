/* What stands out in the profiles, as sentences: --findings. */
#pragma once

#include "cli/options.h"

/* Reads the profiles and writes a line for each finding. Returns 0, or -1 after saying why it failed. */
int tree_findings_write(const nytp_operands *files, const nytp_common_options *common);
