/* Templates of links: addresses in which words in braces, such as {file}, stand for what a link is about. */
#pragma once

#include "cli/options.h"

/* Returns the number of the word with which the text begins, or that of the NULL which ends the words. */
size_t nytp_url_word(const char *text, const char *const *words);

/* Where an option puts a template, and the words that it may have, ended by NULL. */
typedef struct nytp_url_option {
    const char **url;
    const char *const *words;
} nytp_url_option;

/* The call of a row whose context is an nytp_url_option. */
char *nytp_set_url(const nytp_option *option, const char *argument);
