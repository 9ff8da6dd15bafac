/* The words of the static part of a page, which depend on what the profile measures. page/app/words.js has
 * those of the script. */
#pragma once

#include "model/measure.h"

typedef struct html_words {
    const char *subs, *lines;              /* titles of the tables of what has most */
    const char *amount;                    /* head of a column: what was measured */
    const char *calls, *runs, *statements; /* heads of columns: what is counted of subs, lines and files */
    const char *less;                      /* follows the number of processes that a table leaves out */
    const char *pictures;                  /* what shows one of several runs that are compared */
    const char *medians;                   /* what the numbers of a comparison are */
} html_words;

const html_words *html_words_of(const nytp_measure *measure);
