/* --slowest=N of a program that adds up several files: the N slowest spans of all of them. */
#pragma once

#include "cli/options.h"

/* Finds how many of them each file has, if the options ask for them; to be called before the files are read.
 * Returns 0, or -1 after saying why not: they must be regular files. */
int nytp_slowest_choose(const nytp_operands *files, const nytp_common_options *common);

/* Sets how many of a file are chosen, if it is one of these operands, which are told apart by their
 * addresses: a file may be given twice. */
void nytp_slowest_of_file(const char *operand, nytp_slowest *slowest);
