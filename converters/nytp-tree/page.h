/* --markdown: a page of a profile for a pull request or a chat. */
#pragma once

#include "findings/findings.h"

/* Writes the whole, the subs, lines and spans that take the most, and what stands out: at most 60 lines.
 * Evals are merged; stacks is a tree of the same calls with unchanged names. Write errors stick to out. */
void tree_page_write(const nytp_profile *profile, nytp_calltree *stacks, const nytp_findings *findings,
                     FILE *out);
