/* Who holds memory (heap_holders=1): the way from a variable to the values of each sample, such as
 * `my %sessions{*}{user}{history}[*]`, at the moments that the program names and at its end.
 *
 * Values are visited breadth first, from the variables of the file and of what runs, the symbol tables, and
 * what perl frees with the next statement, over elements, references, magic and the variables of subs. The
 * first way to a value is its holder's; what code has for itself and what has no name come last. Weak
 * references hold nothing. Values to which equal steps lead have one holder, and a step that was taken before
 * leads back to where it was: so a list has two. What no way leads to is held by no variable: by cycles of
 * references, constants of code, local()'s old values, C.
 *
 * A value takes 24 bytes of the walk, and some 0.2 us. If these cannot be had, the moment has no holders.
 * Values of other threads are not visited.
 */
#pragma once

#include "prof.h"

/* Writes the holders of all samples into the stream (stream.h), which the context must have. */
void prof_holders_write(pTHX);
