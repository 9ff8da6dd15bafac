/* What an option does with its argument. */
#pragma once

#include "cli/options.h"

/* Stores the argument where the row says. written is the option as messages show it, with its dashes;
 * argument is NULL if there is none. Returns -1 to go on, or the exit status after saying what was expected.
 */
int nytp_option_apply(const nytp_option *option, const char *written, const char *argument);

/* Writes "a, b or c" to text, with " (default)" after the word with index `marked`; -1: after none. */
void nytp_option_list_words(const char *const *words, int marked, char *text, size_t size);
