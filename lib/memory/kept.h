/* Who keeps the values in arenas. An arena is of the sub that needed the next one; but how many values the
 * calls of each sub left behind is counted (NYTP_MARK_KEPT), and so is what all values take. */
#pragma once

#include "memory/profile.h"

/* What was counted up to a moment. */
typedef struct nytp_kept_counts {
    GArray *of_subs;                      /* double, by the number of a sub: values; below 0: it freed more */
    double values[NYTP_VALUE_TYPE_COUNT]; /* of the process */
} nytp_kept_counts;

typedef struct nytp_kept {
    GArray *of_subs;             /* up to now */
    nytp_kept_counts begin, end; /* those of the view */
    nytp_mark next;              /* of the next SUB_CALLERS; no numbers: not said */
    bool is_lacking;             /* some SUB_CALLERS does not say */
} nytp_kept;

void nytp_kept_init(nytp_kept *kept);
void nytp_kept_clear(nytp_kept *kept);

/* Adds what calls of that sub kept, as the mark before it says. */
void nytp_kept_add(nytp_kept *kept, uint32_t sub, const nytp_chunk *sub_callers);

/* What calls have kept up to now is that of a moment. */
void nytp_kept_note_calls(const nytp_kept *kept, nytp_kept_counts *moment);

/* Returns whether memory of that kind is an arena. */
bool nytp_is_arena(nytp_str kind);

/* Replaces arenas in what was taken of sites by what each sub keeps of what came between begin and end, and
 * what is free. Adds nodes, names, and the fids of files. Before perl 5.36 there are no arenas, as their kind
 * is what they are for. */
void nytp_kept_show(const nytp_kept *kept, const nytp_memory_named *named, GArray *sites, GArray *nodes,
                    GArray *names, GArray *fids);

/* Does that to a stream that has ended (stream.c). */
void nytp_memory_stream_keep(nytp_memory_stream *stream, const nytp_kept *kept,
                             const nytp_memory_named *named);
