/* Deflate for what repeats itself over and over with small differences, as a program's loops do: times
 * differ, the places and names around them do not.
 *
 * An ordinary fast compressor takes the latest place where the next four bytes stood, an ordinary strong one
 * tries many of them. Here the latest two places where the next 64 bytes stood are tried first, then 16,
 * then 4. As a match goes on until something differs, and this mostly differs at the same places, only those
 * are remembered: where a match ended lately, there or in what was copied from there.
 */
#ifndef NYTP_REPEATS_H
#define NYTP_REPEATS_H

#include "wire.h"

/* malloc()ed; NULL: out of memory. There is one level. */
void *nytp_repeats_start(int level);
/* Forgets all. */
void nytp_repeats_restart(void *state);
/* Takes all of w->in, and writes what there is to write. To be called again while that fills all of w->out.
 * NULL: nothing can be wrong. */
const char *nytp_repeats_step(void *state, nytp_window *w, enum nytp_deflate_flush flush);

#endif
