/* Perl's names for the files of evals: "(eval 5)[t.pl:26]", "(re_eval 7)[...]", one within another, and
 * without the brackets where the profile was recorded with nameevals=0.
 */
#ifndef NYTP_MODEL_EVAL_NAME_H
#define NYTP_MODEL_EVAL_NAME_H

#include "nytprof.h"

/* "(eval 5)[t.pl:26]": kind "eval", number "5", file "t.pl", line "26". file and line are empty where there
 * are no brackets. The strings point into the name. */
typedef struct nytp_eval_name {
    nytp_str kind, number, file, line;
} nytp_eval_name;

/* Whether the text at `at`, before end, begins with "(eval 5)", or with another word that ends in "eval". If
 * so, *kind and *number are the word and the number. */
bool nytp_eval_name_begins(const char *at, const char *end, nytp_str *kind, nytp_str *number);

/* Whether the whole name is that of an eval; if so, *e has its parts. */
bool nytp_eval_name_parse(nytp_str name, nytp_eval_name *e);

/* The colon of the last ":26]" in a name, with which the name of an eval's file ends; NULL: there is none. */
const char *nytp_eval_name_last_line(nytp_str name);

#endif
