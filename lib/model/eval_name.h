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

/* Returns the name with the numbers of all evals in it replaced by 0, so that the runs of a string eval have
 * the same name: "main::__ANON__[(eval 0)[t.pl:26]:1]". Names of evals without a file and a line stay. The
 * caller must free() it. */
char *nytp_eval_name_merge(nytp_str name, size_t *length);

#endif
