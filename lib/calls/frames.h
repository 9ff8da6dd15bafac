/* Frames of call stacks, as viewers show them: subs with the same shown name are one frame, with a file and
 * lines.
 *
 * Names are valid UTF-8. By default the runs of a string eval have the same name, as in nytprofcalls.
 */
#pragma once

#include "model/names.h"
#include "nytprof-model.h"

typedef struct nytp_frame {
    nytp_str name;
    nytp_str file;                  /* valid UTF-8; empty: not known, or a built-in */
    uint32_t first_line, last_line; /* 0: not known */
    enum nytp_label_kind label_kind;
    nytp_str label;       /* valid UTF-8, a part of name; empty: none */
    nytp_str trace, span; /* ids of the trace that a span belongs to; empty: none */
} nytp_frame;

typedef struct nytp_frames nytp_frames;

nytp_frames *nytp_frames_new(bool keep_evals); /* keep_evals: each run of an eval has a name of its own */
void nytp_frames_free(nytp_frames *frames);    /* NULL is fine */

/* The raw names of subs, which belong to frames. Names may be added. */
nytp_names *nytp_frames_names(nytp_frames *frames);

/* Return the number of the frame of a sub, counted from 0 in order of first sight: given the number of its
 * raw name, that name, or the name that nytp_frames_rename() returns for it. */
uint32_t nytp_frames_of(nytp_frames *frames, uint32_t raw);
uint32_t nytp_frames_of_raw(nytp_frames *frames, const nytp_str *raw);
uint32_t nytp_frames_of_shown(nytp_frames *frames, nytp_str shown);

/* Returns the frame of the same name without ids of a trace. */
uint32_t nytp_frames_without_trace(nytp_frames *frames, uint32_t number);

/* An nytp_rename_fn for call trees of these frames. The context is the nytp_frames. */
char *nytp_frames_rename(void *frames, nytp_str raw, size_t *length);

/* Sets file, lines and kinds of labels of frames to those of the profile's subs, unless an earlier profile
 * did. */
void nytp_frames_locate(nytp_frames *frames, const nytp_profile *profile);

uint32_t nytp_frames_count(const nytp_frames *frames);

/* Valid until another frame is added. */
nytp_frame nytp_frames_get(const nytp_frames *frames, uint32_t number);
