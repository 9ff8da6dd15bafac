/* What an option does with its argument. */
#ifndef NYTP_CLI_OPTION_VALUE_H
#define NYTP_CLI_OPTION_VALUE_H

#include "cli/options.h"

/* Stores the argument where the row says. written is the option as messages show it, dashes included;
 * argument is NULL if there is none. Returns -1 to go on, or the exit status after saying what was expected.
 */
int nytp_option_apply(const nytp_option *option, const char *written, const char *argument);

/* "a, b or c". With marked, the word of that index is followed by " (default)"; -1: none is. */
void nytp_option_list_words(const char *const *words, int marked, char *text, size_t size);

#endif
