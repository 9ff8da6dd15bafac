/* Reading the profiles that are compared. */
#pragma once

#include "command.h"

/* Reads all profiles of a command into a comparison. Warns if they are of different programs. Returns 0, or
 * -1 after saying why they cannot be compared. */
int diff_read(nytp_comparison *comparison, const diff_command *command);
