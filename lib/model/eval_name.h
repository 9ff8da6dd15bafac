/* Perl's names for the files of evals: "(eval 5)[t.pl:26]" and "(re_eval 7)[...]". One may be within another.
 * They have no brackets if the profile was recorded with nameevals=0. */
#pragma once

#include "base/str.h"

#include <stdint.h>

#define NYTP_EVAL_FRAME "string eval at "

/* The parts of a name. "(eval 5)[t.pl:26]" has kind "eval", number "5", file "t.pl" and line "26". file and
 * line are empty if the name has no brackets. The strings point into the name. */
typedef struct nytp_eval_name {
    nytp_str kind, number, file, line;
} nytp_eval_name;

/* Returns whether the whole name is that of an eval. If so, sets *e to its parts. */
bool nytp_eval_name_parse(nytp_str name, nytp_eval_name *e);

/* Returns the file around an eval, and around the evals that it is in, or the name itself if it is not an
 * eval. It points into the name. */
nytp_str nytp_eval_name_outermost(nytp_str name);

/* Returns the name with the numbers of all evals in it replaced by 0, so that the runs of a string eval have
 * the same name: "main::__ANON__[(eval 0)[t.pl:26]:1]". Names of evals without a file and a line stay. The
 * caller must free() it. */
char *nytp_eval_name_merge(nytp_str name, size_t *length);

/* Returns the name by which stacks show the string evals that the statement at that line runs: "string eval
 * at t.pl:26". The caller must g_free() it. */
char *nytp_eval_frame_name(nytp_str file, uint32_t line, size_t *length);

/* Returns whether a name is one of these. That of a sub is not: it begins with a package. */
static inline bool nytp_is_eval_frame(nytp_str name)
{
    const size_t length = sizeof NYTP_EVAL_FRAME - 1;
    return name.length > length && memcmp(name.bytes, NYTP_EVAL_FRAME, length) == 0;
}

/* Returns the file and the line in such a name. */
typedef struct nytp_place_name {
    nytp_str file; /* points into the name */
    uint32_t line;
} nytp_place_name;
nytp_place_name nytp_eval_frame_place(nytp_str name);
