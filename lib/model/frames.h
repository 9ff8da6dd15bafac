/* Frames of call stacks, as viewers show them: subs with the same shown name are one frame, with a file and
 * lines.
 *
 * Names are valid UTF-8. By default the runs of a string eval have the same name, as in nytprofcalls.
 */
#ifndef NYTP_MODEL_FRAMES_H
#define NYTP_MODEL_FRAMES_H

#include "nytprof.h"

typedef struct nytp_frame {
    nytp_str name;
    nytp_str file;                  /* valid UTF-8; empty: not known, or a built-in */
    uint32_t first_line, last_line; /* 0: not known */
} nytp_frame;

typedef struct nytp_frames nytp_frames;

nytp_frames *nytp_frames_new(bool keep_evals);
void nytp_frames_free(nytp_frames *frames); /* NULL is fine */

/* The number of the frame of a sub, counted from 0 in order of first sight: by the raw name, and by the name
 * that nytp_frames_rename() gave it. */
uint32_t nytp_frames_of_raw(nytp_frames *frames, const nytp_str *raw);
uint32_t nytp_frames_of_shown(nytp_frames *frames, nytp_str shown);

/* An nytp_rename_fn, for call trees whose stacks are of these frames; context is the nytp_frames. */
char *nytp_frames_rename(void *frames, nytp_str raw, size_t *length);

/* Takes file and lines of frames from the subs of a profile. The first profile that knows a sub decides. */
void nytp_frames_locate(nytp_frames *frames, const nytp_profile *profile);

uint32_t nytp_frames_count(const nytp_frames *frames);

/* Valid until another frame is added. */
nytp_frame nytp_frames_get(const nytp_frames *frames, uint32_t number);

#endif
