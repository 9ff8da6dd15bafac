/* The profiles of a program that compares: "OLD NEW", or several of each, "OLD ... -- NEW ...". */
#pragma once

#include "nytprof-model.h"
#include "cli/options.h"

#define NYTP_SIDES_USAGE "OLD NEW | OLD ... -- NEW ..."

/* Returns how many words follow the first "--", or -1 if there is none. To be called before
 * nytp_options_parse(), which changes the order of argv. */
int nytp_words_after_dashes(int argc, char **argv);

/* Sets the operands of each side, given all of them and how many words followed "--". Returns -1 to go on, or
 * the exit status after saying what is wrong. */
int nytp_sides_split(const nytp_operands *all, int after_dashes, nytp_operands sides[NYTP_SIDES]);

/* Returns whether the profiles of one side have labels and those of the other have none, after saying that
 * labels are left out then. Sets filters->no_labels in that case. Nothing is read from what cannot be read
 * again, such as a pipe. */
void nytp_sides_unify_labels(const nytp_operands sides[NYTP_SIDES], nytp_filter_options *filters);
