/* --help, and the list of options that the completions of the shells are made from. */
#pragma once

#include "cli/options.h"

/* Each prints to standard output and returns the exit status. */
int nytp_help_print(const nytp_program *program, const nytp_option *table);
int nytp_help_print_apart(const nytp_program *program, const nytp_option *table);
int nytp_help_version(void);

/* Prints a line for each form of an option that is not hidden: the form, a tab, and its words with blanks
 * between them, or the name of its argument. The form ends with "=" if an argument must follow, and with
 * "[=]" if one may. Returns the exit status. */
int nytp_help_values(const nytp_option *table);
