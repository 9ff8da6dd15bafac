/* What the records of a process (format/heap.h) say of its memory at a moment, or between two. */
#pragma once

#include "nytprof.h"

#include "base/calibrate.h"
#include "format/marks.h"

#include <glib.h>

enum nytp_memory_of {
    NYTP_MEMORY_LIVE,
    NYTP_MEMORY_PEAK,
    NYTP_MEMORY_ALLOC,     /* all that was allocated */
    NYTP_MEMORY_TEMPORARY, /* what was freed within 1 ms */
    NYTP_MEMORY_HELD,      /* what was live, by the variables that hold it: nodes are ways to values */
    NYTP_MEMORY_GROWN      /* what is live at the end and was not at the begin, less what went */
};

/* A moment of a process. */
typedef struct nytp_memory_moment {
    const char *name; /* of a mark; NULL: the time. The last one counts, if there are several */
    double s;         /* since the process's begin */
} nytp_memory_moment;

/* What is asked for. */
typedef struct nytp_memory_view {
    enum nytp_memory_of of;
    nytp_memory_moment begin, end; /* begin: without a name, from the first record on. Without an end, s is
                                      INFINITY: up to the mark "end", or to the last record */
} nytp_memory_view;

typedef struct nytp_memory_node {
    uint32_t parent;     /* its number is less; node 0 is the root */
    uint32_t name;       /* of the sub */
    uint32_t file, line; /* of the call */
} nytp_memory_node;

typedef struct nytp_memory_site {
    uint32_t node, kind, file, line;
    nytp_sampled now, peak; /* peak: at the peak of that number; the same as now if it is another one */
    nytp_sampled taken;     /* what was asked for */
    uint32_t peak_number;
} nytp_memory_site;

typedef struct nytp_memory_stream nytp_memory_stream;

/* rate_bytes: the distance of samples. Never returns NULL. */
nytp_memory_stream *nytp_memory_stream_new(const nytp_memory_view *view, double rate_bytes,
                                           double ticks_per_s);
void nytp_memory_stream_free(nytp_memory_stream *stream); /* NULL is fine */

/* What a process has counted at a time, in bytes. */
typedef struct nytp_memory_counted {
    double live;
    double own;   /* of these, what it has not inherited, and what was recorded */
    double given; /* all that it has allocated since its begin */
} nytp_memory_counted;

/* What becomes of samples, whatever the view is, up to the mark "end". Times are seconds since the process's
 * begin. */
typedef struct nytp_memory_watch {
    void *context;
    /* Called for each sample that was live from one time to another; to_s is INFINITY if it was live at the
     * end. A change of what site 0 has comes as a sample that stays, whose size may be negative. NULL: not
     * called. */
    void (*on_life)(void *context, uint32_t site, double from_s, double to_s, const nytp_sampled *amount);
    void (*on_live)(void *context, double s, const nytp_memory_counted *counted);
    void (*on_mark)(void *context, double s, nytp_str name);
} nytp_memory_watch;

/* To be called before the first mark. */
void nytp_memory_stream_watch(nytp_memory_stream *stream, const nytp_memory_watch *watch);

/* Takes a mark of the process. Records that make no sense end the stream. Returns whether the moment that was
 * asked for has come: what the profile has said before is of that moment. */
bool nytp_memory_stream_add(nytp_memory_stream *stream, const nytp_mark *mark);

/* Ends it, so many seconds after the process's begin; 0 if that is not known. Returns false if it has no
 * records, or the moments that were asked for are not in it. */
bool nytp_memory_stream_end(nytp_memory_stream *stream, double end_s);

/* After its end. The site 0 has samples without records; it is in no view, but in what all sites have
 * together.
 */
const GArray *nytp_memory_stream_nodes(const nytp_memory_stream *stream); /* nytp_memory_node */
const GArray *nytp_memory_stream_sites(const nytp_memory_stream *stream); /* nytp_memory_site */
nytp_str nytp_memory_stream_name(const nytp_memory_stream *stream, uint32_t name);

/* Returns the fid of a file; 0 if it is not known. */
uint32_t nytp_memory_stream_fid(const nytp_memory_stream *stream, uint32_t file);

/* Returns what is known of all sites together, as it was counted. */
nytp_calibration nytp_memory_stream_calibration(const nytp_memory_stream *stream);

/* Returns how many bytes were live at the peak, but for what was not recorded. */
double nytp_memory_stream_peak_bytes(const nytp_memory_stream *stream);
